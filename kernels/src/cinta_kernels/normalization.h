/* Rows with mean 0 and variance 1, scaled and moved, and their gradients. TOGETHER rows are gone through
 * at a time, because each sum waits for its own last addition, and because what belongs to columns is
 * read once for all; a row's sums do not depend on the others. */

#define TOGETHER 4
#define HALF_VECTORS (LANE_VECTORS / 2)
#define HALF_LANES (LANES / 2)

typedef struct {
    float mean, factor; /* 1 / sqrt(variance + epsilon) */
} Statistics;

/* The averages of some rows, or, if squares are asked for, of the squared distances from their means. */
INLINE void average(int count, int squares, npy_intp n, const float *const *x,
                    const Statistics *own, float *found) {
    Vector lanes[TOGETHER][HALF_VECTORS];
    npy_intp whole = n - n % HALF_LANES;
    for (int r = 0; r < count; r++)
        for (int v = 0; v < HALF_VECTORS; v++) lanes[r][v] = repeated(0.0f);
    for (npy_intp i = 0; i < whole; i += HALF_LANES)
        for (int v = 0; v < HALF_VECTORS; v++)
            for (int r = 0; r < count; r++) {
                Vector number = loaded(x[r] + i + v * WIDTH);
                Vector away = squares ? number - repeated(own[r].mean) : number;
                lanes[r][v] = squares ? VECTOR_FMA(away, away, lanes[r][v]) : lanes[r][v] + away;
            }
    for (int r = 0; r < count; r++) {
        float rest = 0.0f;
        for (npy_intp i = whole; i < n; i++) {
            float away = squares ? x[r][i] - own[r].mean : x[r][i];
            rest = squares ? FMA(away, away, rest) : rest + away;
        }
        found[r] = (total_of(lanes[r], HALF_VECTORS) + rest) / (float)n;
    }
}

/* The statistics of some rows; the mean is 0 where they are not to be centered. */
INLINE void describe(int count, npy_intp n, const float *const *x, const float *centered,
                     const float *epsilon, Statistics *found) {
    float averages[TOGETHER];
    average(count, 0, n, x, found, averages);
    for (int r = 0; r < count; r++) found[r].mean = centered[r] == 0.0f ? 0.0f : averages[r];
    average(count, 1, n, x, found, averages);
    for (int r = 0; r < count; r++) found[r].factor = 1.0f / sqrtf(averages[r] + epsilon[r]);
}

INLINE void normalize(int count, npy_intp n, const float *const *x, const Statistics *own,
                      const float *scale, const float *offset, float *const *out) {
    npy_intp i = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        Vector weight = loaded(scale + i), moved = loaded(offset + i);
        for (int r = 0; r < count; r++) {
            Vector h = (loaded(x[r] + i) - repeated(own[r].mean)) * repeated(own[r].factor);
            stored(fused(h, weight, moved), out[r] + i);
        }
    }
    for (; i < n; i++)
        for (int r = 0; r < count; r++)
            out[r][i] = FMA((x[r][i] - own[r].mean) * own[r].factor, scale[i], offset[i]);
}

/* Some rows of the function below, from the first on. */
INLINE void layer_norm_of(int count, npy_intp first, npy_intp n, char **args,
                          const npy_intp *steps) {
    const float *x[TOGETHER];
    float *out[TOGETHER], epsilon[TOGETHER], centered[TOGETHER];
    Statistics found[TOGETHER];
    char *at[8];
    for (int i = 0; i < 8; i++) at[i] = args[i] + first * steps[i];
    for (int r = 0; r < count; r++) {
        x[r] = (const float *)(at[0] + r * steps[0]);
        out[r] = (float *)(at[5] + r * steps[5]);
        epsilon[r] = FLOAT(at[3] + r * steps[3]);
        centered[r] = FLOAT(at[4] + r * steps[4]);
    }
    describe(count, n, x, centered, epsilon, found);
    normalize(count, n, x, found, (const float *)at[1], (const float *)at[2], out);
    for (int r = 0; r < count; r++) {
        FLOAT(at[6] + r * steps[6]) = found[r].mean;
        FLOAT(at[7] + r * steps[7]) = found[r].factor;
    }
}

/* (n),(n),(n),(),()->(n),(),(): (x - mean) factor scale + offset, where the mean is 0 if the last
 * argument is; the mean and the factor 1 / sqrt(variance + epsilon). */
void FOR_THIS(layer_norm)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp row = 0, n = counts[1];
    int have_one_scale = steps[1] == 0 && steps[2] == 0;
    (void)none;
    if (refused(IN_A_ROW(steps[8]) && IN_A_ROW(steps[9]) && IN_A_ROW(steps[10]) &&
                IN_A_ROW(steps[11]), APART))
        return;
    for (; have_one_scale && row + TOGETHER <= counts[0]; row += TOGETHER)
        layer_norm_of(TOGETHER, row, n, args, steps);
    for (; row < counts[0]; row++) layer_norm_of(1, row, n, args, steps);
    say_nothing();
}

/* (n),(),(),(n),(n)->(n): the same with statistics that are given. */
void FOR_THIS(normalized)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp n = counts[1];
    (void)none;
    if (refused(IN_A_ROW(steps[6]) && IN_A_ROW(steps[7]) && IN_A_ROW(steps[8]) &&
                IN_A_ROW(steps[9]), APART))
        return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        Statistics own = {FLOAT(args[1] + row * steps[1]), FLOAT(args[2] + row * steps[2])};
        const float *x = (const float *)(args[0] + row * steps[0]);
        float *out = (float *)(args[5] + row * steps[5]);
        normalize(1, n, &x, &own, (const float *)(args[3] + row * steps[3]),
                  (const float *)(args[4] + row * steps[4]), &out);
    }
    say_nothing();
}

/* What rows give to the gradient of a row: sums over its columns, divided by their number. */
typedef struct {
    float of_mean, of_factor;
} Shares;

/* From the gradients g of some rows that were normalized, the shares of their statistics; and added to
 * what other rows gave, the gradients of scale and offset. */
INLINE void column_gradients(int count, npy_intp n, const float *const *g, const float *const *x,
                             const Statistics *own, const float *scale, float centered,
                             Shares *shares, float *by_scale, float *by_offset) {
    Vector sums[TOGETHER][HALF_VECTORS], products[TOGETHER][HALF_VECTORS];
    npy_intp whole = n - n % HALF_LANES;
    for (int r = 0; r < count; r++)
        for (int v = 0; v < HALF_VECTORS; v++) sums[r][v] = products[r][v] = repeated(0.0f);
    for (npy_intp i = 0; i < whole; i += HALF_LANES)
        for (int v = 0; v < HALF_VECTORS; v++) {
            npy_intp at = i + v * WIDTH;
            Vector weight = loaded(scale + at), to_scale = loaded(by_scale + at),
                   to_offset = loaded(by_offset + at);
            for (int r = 0; r < count; r++) {
                Vector given = loaded(g[r] + at), scaled = given * weight;
                Vector h = (loaded(x[r] + at) - repeated(own[r].mean)) * repeated(own[r].factor);
                to_scale = VECTOR_FMA(given, h, to_scale);
                to_offset += given;
                sums[r][v] += scaled;
                products[r][v] = VECTOR_FMA(scaled, h, products[r][v]);
            }
            stored(to_scale, by_scale + at);
            stored(to_offset, by_offset + at);
        }
    for (int r = 0; r < count; r++) {
        float sum = 0.0f, product = 0.0f;
        for (npy_intp i = whole; i < n; i++) {
            float h = (x[r][i] - own[r].mean) * own[r].factor, scaled = g[r][i] * scale[i];
            by_scale[i] = FMA(g[r][i], h, by_scale[i]);
            by_offset[i] += g[r][i];
            sum += scaled;
            product = FMA(scaled, h, product);
        }
        shares[r].of_mean = centered * (total_of(sums[r], HALF_VECTORS) + sum) / (float)n;
        shares[r].of_factor = (total_of(products[r], HALF_VECTORS) + product) / (float)n;
    }
}

/* The gradients of some rows. */
INLINE void row_gradients(int count, npy_intp n, const float *const *g, const float *const *x,
                          const Statistics *own, const float *scale, const Shares *shares,
                          float *const *by_x) {
    npy_intp i = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        Vector weight = loaded(scale + i);
        for (int r = 0; r < count; r++) {
            Vector factor = repeated(own[r].factor);
            Vector h = (loaded(x[r] + i) - repeated(own[r].mean)) * factor;
            Vector rest = fused(loaded(g[r] + i), weight, repeated(-shares[r].of_mean));
            stored(factor * (rest - h * repeated(shares[r].of_factor)), by_x[r] + i);
        }
    }
    for (; i < n; i++)
        for (int r = 0; r < count; r++) {
            float h = (x[r][i] - own[r].mean) * own[r].factor;
            float rest = FMA(g[r][i], scale[i], -shares[r].of_mean);
            by_x[r][i] = own[r].factor * (rest - h * shares[r].of_factor);
        }
}

/* Some rows of the function below, from the first on. */
INLINE void gradients_of(int count, npy_intp first, npy_intp n, char **args, const npy_intp *core) {
    const float *g[TOGETHER], *x[TOGETHER], *scale = (const float *)args[4];
    float *by_x[TOGETHER];
    Statistics own[TOGETHER];
    Shares shares[TOGETHER];
    for (int r = 0; r < count; r++) {
        g[r] = (const float *)(args[0] + (first + r) * core[0]);
        x[r] = (const float *)(args[1] + (first + r) * core[2]);
        own[r].mean = FLOAT(args[2] + (first + r) * core[4]);
        own[r].factor = FLOAT(args[3] + (first + r) * core[5]);
        by_x[r] = (float *)(args[6] + (first + r) * core[7]);
    }
    float centered = FLOAT(args[5]) == 0.0f ? 0.0f : 1.0f;
    column_gradients(count, n, g, x, own, scale, centered, shares, (float *)args[7],
                     (float *)args[8]);
    row_gradients(count, n, g, x, own, scale, shares, by_x);
}

/* (m,n),(m,n),(m),(m),(n),()->(m,n),(n),(n): from the gradient g of rows that were normalized, and
 * from x, means, factors and scale, the gradients of x, scale and offset. */
void FOR_THIS(normalized_gradients)(char **args, const npy_intp *counts, const npy_intp *steps,
                                    void *none) {
    npy_intp row = 0, rows = counts[1], n = counts[2];
    const npy_intp *core = steps + 9;
    (void)none;
    if (refused(counts[0] == 1 && IN_A_ROW(core[1]) && IN_A_ROW(core[3]) &&
                IN_A_ROW(core[6]) && IN_A_ROW(core[8]) && IN_A_ROW(core[9]) &&
                IN_A_ROW(core[10]), APART))
        return;
    memset(args[7], 0, n * sizeof(float));
    memset(args[8], 0, n * sizeof(float));
    for (; row + TOGETHER <= rows; row += TOGETHER) gradients_of(TOGETHER, row, n, args, core);
    for (; row < rows; row++) gradients_of(1, row, n, args, core);
    say_nothing();
}

/* Rows with mean 0 and variance 1, scaled and moved, and their gradients. TOGETHER rows are summed at a
 * time, because each sum waits for its own last addition; a row's sums do not depend on the others. */

#define TOGETHER 2
#define HALF_VECTORS (LANE_VECTORS / 2)
#define HALF_LANES (LANES / 2)

typedef struct {
    float mean, factor; /* 1 / sqrt(variance + epsilon) */
} Statistics;

/* The statistics of some rows; the mean is 0 where they are not to be centered. */
INLINE void describe(int count, npy_intp n, const float *const *x, const float *centered,
                     const float *epsilon, Statistics *found) {
    Vector lanes[TOGETHER][HALF_VECTORS];
    float rest[TOGETHER];
    for (int squares = 0; squares < 2; squares++) {
        npy_intp i = 0;
        for (int r = 0; r < count; r++) {
            rest[r] = 0.0f;
            for (int v = 0; v < HALF_VECTORS; v++) lanes[r][v] = repeated(0.0f);
            if (!squares) found[r].mean = 0.0f;
        }
        for (; i + HALF_LANES <= n; i += HALF_LANES)
            for (int v = 0; v < HALF_VECTORS; v++)
                for (int r = 0; r < count; r++) {
                    Vector away = loaded(x[r] + i + v * WIDTH) - repeated(found[r].mean);
                    lanes[r][v] = squares ? VECTOR_FMA(away, away, lanes[r][v]) : lanes[r][v] + away;
                }
        for (int r = 0; r < count; r++) {
            for (npy_intp k = i; k < n; k++) {
                float away = x[r][k] - found[r].mean;
                rest[r] = squares ? FMA(away, away, rest[r]) : rest[r] + away;
            }
            float average = (total_of(lanes[r], HALF_VECTORS) + rest[r]) / (float)n;
            if (squares)
                found[r].factor = 1.0f / sqrtf(average + epsilon[r]);
            else
                found[r].mean = centered[r] == 0.0f ? 0.0f : average;
        }
    }
}

INLINE void normalize(npy_intp n, const float *x, Statistics own, const float *scale,
                      const float *offset, float *out) {
    for (npy_intp i = 0; i < n; i++) out[i] = FMA((x[i] - own.mean) * own.factor, scale[i], offset[i]);
}

/* (n),(n),(n),(),()->(n),(),(): (x - mean) factor scale + offset, where the mean is 0 if the last
 * argument is; the mean and the factor 1 / sqrt(variance + epsilon). */
void FOR_THIS(layer_norm)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp n = counts[1];
    (void)none;
    if (refused(IN_A_ROW(steps[8]) && IN_A_ROW(steps[9]) && IN_A_ROW(steps[10]) &&
                IN_A_ROW(steps[11]), APART))
        return;
    for (npy_intp row = 0; row < counts[0]; row += TOGETHER) {
        int count = (int)at_most(TOGETHER, counts[0] - row);
        const float *x[TOGETHER];
        float epsilon[TOGETHER], centered[TOGETHER];
        Statistics found[TOGETHER];
        for (int r = 0; r < count; r++) {
            x[r] = (const float *)(args[0] + (row + r) * steps[0]);
            epsilon[r] = FLOAT(args[3] + (row + r) * steps[3]);
            centered[r] = FLOAT(args[4] + (row + r) * steps[4]);
        }
        if (count == TOGETHER)
            describe(TOGETHER, n, x, centered, epsilon, found);
        else
            for (int r = 0; r < count; r++)
                describe(1, n, x + r, centered + r, epsilon + r, found + r);
        for (int r = 0; r < count; r++) {
            normalize(n, x[r], found[r], (const float *)(args[1] + (row + r) * steps[1]),
                      (const float *)(args[2] + (row + r) * steps[2]),
                      (float *)(args[5] + (row + r) * steps[5]));
            FLOAT(args[6] + (row + r) * steps[6]) = found[r].mean;
            FLOAT(args[7] + (row + r) * steps[7]) = found[r].factor;
        }
    }
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
        normalize(n, (const float *)(args[0] + row * steps[0]), own,
                  (const float *)(args[3] + row * steps[3]),
                  (const float *)(args[4] + row * steps[4]), (float *)(args[5] + row * steps[5]));
    }
    say_nothing();
}

/* From the gradients g of some rows that were normalized, those of the rows; and added to what other
 * rows gave, those of scale and offset. */
INLINE void row_gradients(int count, npy_intp n, const float *const *g, const float *const *x,
                          const Statistics *own, const float *scale, float centered,
                          float *const *by_x, float *by_scale, float *by_offset) {
    Vector sums[TOGETHER][HALF_VECTORS], products[TOGETHER][HALF_VECTORS];
    float sum[TOGETHER], product[TOGETHER];
    npy_intp i = 0;
    for (int r = 0; r < count; r++) {
        sum[r] = product[r] = 0.0f;
        for (int v = 0; v < HALF_VECTORS; v++) sums[r][v] = products[r][v] = repeated(0.0f);
    }
    for (; i + HALF_LANES <= n; i += HALF_LANES)
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
    for (; i < n; i++)
        for (int r = 0; r < count; r++) {
            float h = (x[r][i] - own[r].mean) * own[r].factor, scaled = g[r][i] * scale[i];
            by_scale[i] = FMA(g[r][i], h, by_scale[i]);
            by_offset[i] += g[r][i];
            sum[r] += scaled;
            product[r] = FMA(scaled, h, product[r]);
        }
    for (int r = 0; r < count; r++) {
        float mean = own[r].mean, factor = own[r].factor;
        float by_mean = centered * (total_of(sums[r], HALF_VECTORS) + sum[r]) / (float)n;
        float along = (total_of(products[r], HALF_VECTORS) + product[r]) / (float)n;
        for (i = 0; i < n; i++) {
            float h = (x[r][i] - mean) * factor;
            by_x[r][i] = factor * (FMA(g[r][i], scale[i], -by_mean) - h * along);
        }
    }
}

/* (m,n),(m,n),(m),(m),(n),()->(m,n),(n),(n): from the gradient g of rows that were normalized, and
 * from x, means, factors and scale, the gradients of x, scale and offset. */
void FOR_THIS(normalized_gradients)(char **args, const npy_intp *counts, const npy_intp *steps,
                                    void *none) {
    npy_intp rows = counts[1], n = counts[2];
    const npy_intp *core = steps + 9;
    (void)none;
    if (refused(counts[0] == 1 && IN_A_ROW(core[1]) && IN_A_ROW(core[3]) &&
                IN_A_ROW(core[6]) && IN_A_ROW(core[8]) && IN_A_ROW(core[9]) &&
                IN_A_ROW(core[10]), APART))
        return;
    const float *scale = (const float *)args[4];
    float centered = FLOAT(args[5]) == 0.0f ? 0.0f : 1.0f;
    float *by_scale = (float *)args[7], *by_offset = (float *)args[8];
    for (npy_intp i = 0; i < n; i++) by_scale[i] = by_offset[i] = 0.0f;
    for (npy_intp row = 0; row < rows; row += TOGETHER) {
        int count = (int)at_most(TOGETHER, rows - row);
        const float *g[TOGETHER], *x[TOGETHER];
        float *by_x[TOGETHER];
        Statistics own[TOGETHER];
        for (int r = 0; r < count; r++) {
            g[r] = (const float *)(args[0] + (row + r) * core[0]);
            x[r] = (const float *)(args[1] + (row + r) * core[2]);
            own[r].mean = FLOAT(args[2] + (row + r) * core[4]);
            own[r].factor = FLOAT(args[3] + (row + r) * core[5]);
            by_x[r] = (float *)(args[6] + (row + r) * core[7]);
        }
        if (count == TOGETHER)
            row_gradients(TOGETHER, n, g, x, own, scale, centered, by_x, by_scale, by_offset);
        else
            for (int r = 0; r < count; r++)
                row_gradients(1, n, g + r, x + r, own + r, scale, centered, by_x + r, by_scale,
                              by_offset);
    }
    say_nothing();
}

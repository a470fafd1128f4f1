/* Depthwise convolution, channels last: each channel is weighted by itself. COLUMNS of them are
 * summed for some windows, or for some weights, at a time. The last ones may begin among those
 * before them: what is made again are the same numbers. */

#define FEW_CHANNELS "there must be 16 channels at least"

/* Sums for some windows that stand a step apart. */
INLINE void channels_of(int count, const char *x, npy_intp step, const char *weights,
                        npy_intp lines, npy_intp places, const npy_intp *x_steps,
                        const npy_intp *w_steps, char *out, npy_intp out_step) {
    Vector sums[SUMS];
    for (int i = 0; i < count * VECTORS; i++) sums[i] = repeated(0.0f);
    for (npy_intp line = 0; line < lines; line++)
        for (npy_intp place = 0; place < places; place++) {
            const char *seen = x + line * x_steps[0] + place * x_steps[1];
            const float *w = (const float *)(weights + line * w_steps[0] + place * w_steps[1]);
            Vector own[VECTORS];
            for (int v = 0; v < VECTORS; v++) own[v] = loaded(w + v * WIDTH);
            for (int i = 0; i < count; i++) {
                const float *at = (const float *)(seen + i % 4 * step);
                if (i % 4 == 3) seen += 4 * step;
                for (int v = 0; v < VECTORS; v++)
                    sums[i * VECTORS + v] =
                        VECTOR_FMA(loaded(at + v * WIDTH), own[v], sums[i * VECTORS + v]);
            }
        }
    for (int i = 0; i < count; i++)
        for (int v = 0; v < VECTORS; v++)
            stored(sums[i * VECTORS + v], (float *)(out + i * out_step) + v * WIDTH);
}

/* (n,h,w,l,p,c),(l,p,c)->(n,h,w,c): what windows see of each channel, weighted and summed. */
void FOR_THIS(depthwise)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp rows = counts[2], width = counts[3], lines = counts[4], places = counts[5],
             channels = counts[6], all = product(counts, 7);
    const npy_intp *x_steps = steps + 3, *w_steps = steps + 9, *out_steps = steps + 12;
    (void)none;
    if (refused(channels >= COLUMNS, FEW_CHANNELS) ||
        refused(all == 0 || (SIDE_BY_SIDE(x_steps[5]) && SIDE_BY_SIDE(w_steps[2]) &&
                             SIDE_BY_SIDE(out_steps[3])), APART))
        return;
    for (npy_intp row = 0; row < counts[0] * counts[1] * rows; row++) {
        npy_intp each = row / rows / counts[1], image = row / rows % counts[1], down = row % rows;
        const char *line =
            args[0] + each * steps[0] + image * x_steps[0] + down * x_steps[1];
        const char *weights = args[1] + each * steps[1];
        char *to = args[2] + each * steps[2] + image * out_steps[0] + down * out_steps[1];
        for (npy_intp next = 0; next < channels; next += COLUMNS) {
            npy_intp first = at_most(channels - COLUMNS, next) * (npy_intp)sizeof(float);
            const char *x = line + first, *w = weights + first;
            char *out = to + first;
            npy_intp left = width;
            for (; left >= MOST; left -= MOST, x += MOST * x_steps[2], out += MOST * out_steps[2])
                channels_of(MOST, x, x_steps[2], w, lines, places, x_steps + 3, w_steps, out,
                            out_steps[2]);
            for (; left >= 2; left -= 2, x += 2 * x_steps[2], out += 2 * out_steps[2])
                channels_of(2, x, x_steps[2], w, lines, places, x_steps + 3, w_steps, out,
                            out_steps[2]);
            for (; left > 0; left--, x += x_steps[2], out += out_steps[2])
                channels_of(1, x, x_steps[2], w, lines, places, x_steps + 3, w_steps, out,
                            out_steps[2]);
        }
    }
    say_nothing();
}

#define TAPS (VECTORS == 1 ? 9 : 3) /* weights of a filter at a time */

/* Add sums for some weights over the windows of an image; seen_at says where in them each stands. */
INLINE void taps_of(int count, const char *x, const npy_intp *x_steps, const npy_intp *seen_at,
                    const char *given, const npy_intp *g_steps, npy_intp rows, npy_intp width,
                    Vector *total) {
    Vector sums[TAPS * VECTORS];
    for (int i = 0; i < count * VECTORS; i++) sums[i] = repeated(0.0f);
    for (npy_intp row = 0; row < rows; row++)
        for (npy_intp j = 0; j < width; j++) {
            const char *seen = x + row * x_steps[1] + j * x_steps[2];
            const char *from = given + row * g_steps[1] + j * g_steps[2];
            Vector own[VECTORS];
            for (int v = 0; v < VECTORS; v++) own[v] = loaded((const float *)from + v * WIDTH);
            for (int i = 0; i < count; i++)
                for (int v = 0; v < VECTORS; v++)
                    sums[i * VECTORS + v] =
                        VECTOR_FMA(loaded((const float *)(seen + seen_at[i]) + v * WIDTH), own[v],
                                   sums[i * VECTORS + v]);
        }
    for (int i = 0; i < count * VECTORS; i++) total[i] += sums[i];
}

static void add_taps(npy_intp count, const char *x, const npy_intp *x_steps,
                     const npy_intp *seen_at, const char *given, const npy_intp *g_steps,
                     npy_intp rows, npy_intp width, Vector *total) {
    if (count == TAPS)
        taps_of(TAPS, x, x_steps, seen_at, given, g_steps, rows, width, total);
    else
        for (npy_intp k = 0; k < count; k++)
            taps_of(1, x, x_steps, seen_at + k, given, g_steps, rows, width,
                    total + k * VECTORS);
}

/* (n,h,w,l,p,c),(n,h,w,c)->(l,p,c): for each weight the sum of what windows saw there, times what
 * was given for them. Each image is summed by itself first. */
void FOR_THIS(depthwise_gradient)(char **args, const npy_intp *counts, const npy_intp *steps,
                                  void *none) {
    npy_intp images = counts[1], rows = counts[2], width = counts[3], places = counts[5],
             channels = counts[6], taps = counts[4] * places, all = product(counts, 7);
    const npy_intp *x_steps = steps + 3, *g_steps = steps + 9, *out_steps = steps + 13;
    (void)none;
    if (refused(channels >= COLUMNS, FEW_CHANNELS) ||
        refused(all == 0 || (SIDE_BY_SIDE(x_steps[5]) && SIDE_BY_SIDE(g_steps[3]) &&
                             SIDE_BY_SIDE(out_steps[2])), APART))
        return;
    for (npy_intp each = 0; each < counts[0]; each++)
        for (npy_intp tap = 0; tap < taps; tap += TAPS)
            for (npy_intp next = 0; next < channels; next += COLUMNS) {
                npy_intp first = at_most(channels - COLUMNS, next) * (npy_intp)sizeof(float);
                npy_intp some = at_most(TAPS, taps - tap), seen_at[TAPS];
                Vector total[TAPS * VECTORS];
                for (npy_intp k = 0; k < some; k++) {
                    seen_at[k] = (tap + k) / places * x_steps[3] + (tap + k) % places * x_steps[4];
                }
                for (npy_intp k = 0; k < some * VECTORS; k++) total[k] = repeated(0.0f);
                for (npy_intp image = 0; image < images; image++) {
                    const char *x = args[0] + each * steps[0] + image * x_steps[0] + first;
                    const char *g = args[1] + each * steps[1] + image * g_steps[0] + first;
                    add_taps(some, x, x_steps, seen_at, g, g_steps, rows, width, total);
                }
                for (npy_intp k = 0; k < some * VECTORS; k++) {
                    npy_intp at = tap + k / VECTORS;
                    char *to = args[2] + each * steps[2] + first + at / places * out_steps[0] +
                               at % places * out_steps[1];
                    stored(total[k], (float *)to + k % VECTORS * WIDTH);
                }
            }
    say_nothing();
}

/* Convolution with packed filters, and what belongs to its filter: sums in registers of a few
 * windows side by side, or of a few weights, each for COLUMNS results. The order in which a number
 * is summed does not depend on the windows beside it. */

#define COLUMNS 16
#define VECTORS (COLUMNS / WIDTH)
#define MOST (SUMS / VECTORS) /* windows or weights at a time */

/* How many of so many come next: most of the time as many as there may be, and never few if it can be
 * helped, because a sum waits for its own last product. */
INLINE int next_of(npy_intp count, int most) {
    return (int)(count <= most ? count : count >= most + 4 ? most : (count + 1) / 2);
}

#if SUMS == 24
#define UP_TO_SUMS(X) UP_TO_12(X) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24)
#else
#define UP_TO_SUMS UP_TO_12
#endif
#define UP_TO_12(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)

/* What windows see: lines of places, where each is a run of numbers side by side. */
typedef struct {
    npy_intp lines, places, run, line_step, place_step;
} Window;

/* Sums for some windows that stand a step apart, and the first columns, so many vectors: weights are
 * [lines, places, run, COLUMNS]. Processors have addresses of four windows for two registers. */
INLINE void sums_of(int count, int vectors, const char *x, npy_intp step, const Window *window,
                    const float *weights, float *out) {
    Vector sums[SUMS];
    for (int i = 0; i < count * vectors; i++) sums[i] = repeated(0.0f);
    for (npy_intp line = 0; line < window->lines; line++)
        for (npy_intp place = 0; place < window->places; place++) {
            const char *seen = x + line * window->line_step + place * window->place_step;
            for (npy_intp k = 0; k < window->run; k++, weights += COLUMNS, seen += sizeof(float)) {
                Vector own[VECTORS];
                for (int v = 0; v < vectors; v++) own[v] = loaded(weights + v * WIDTH);
                const char *at = seen;
                for (int i = 0; i < count; i++) {
                    Vector number = repeated(FLOAT(at + i % 4 * step));
                    if (i % 4 == 3) at += 4 * step;
                    for (int v = 0; v < vectors; v++)
                        sums[i * vectors + v] = VECTOR_FMA(number, own[v], sums[i * vectors + v]);
                }
            }
        }
    for (int i = 0; i < count; i++)
        for (int v = 0; v < vectors; v++)
            stored(sums[i * vectors + v], out + i * COLUMNS + v * WIDTH);
}

/* Some numbers of a block of COLUMNS; compilers make a few instructions of the usual case. */
INLINE void first_columns(const float *from, npy_intp columns, float *to) {
    if (columns == COLUMNS)
        memcpy(to, from, COLUMNS * sizeof(float));
    else
        memcpy(to, from, columns * sizeof(float));
}

/* The same for a line of any number of windows; results are the first columns. */
INLINE void line_of_windows(int vectors, npy_intp count, const char *x, npy_intp step,
                            const Window *window, const float *weights, char *out,
                            npy_intp out_step, npy_intp columns) {
    float made[SUMS * COLUMNS];
    const int most = SUMS / vectors;
    while (count > 0) {
        int some = next_of(count, most);
        for (int i = 0; i < some; i++) __builtin_prefetch(out + i * out_step, 1);
#define SOME(k) \
    case k: sums_of((k) < most ? (k) : most, vectors, x, step, window, weights, made); break;
        switch (some) { UP_TO_SUMS(SOME) }
#undef SOME
        for (npy_intp i = 0; i < some; i++, out += out_step)
            first_columns(made + i * COLUMNS, columns, (float *)out);
        x += some * step;
        count -= some;
    }
}

static void wide_line(npy_intp count, const char *x, npy_intp step, const Window *window,
                      const float *weights, char *out, npy_intp out_step, npy_intp columns) {
    line_of_windows(VECTORS, count, x, step, window, weights, out, out_step, columns);
}

static void narrow_line(npy_intp count, const char *x, npy_intp step, const Window *window,
                        const float *weights, char *out, npy_intp out_step, npy_intp columns) {
    line_of_windows(1, count, x, step, window, weights, out, out_step, columns);
}

INLINE void *memory_for(npy_intp numbers) {
    void *found = malloc((size_t)numbers * sizeof(float));
    if (found == NULL) {
        PyGILState_STATE state = PyGILState_Ensure();
        PyErr_NoMemory();
        PyGILState_Release(state);
    }
    return found;
}

INLINE npy_intp product(const npy_intp *lengths, int count) {
    npy_intp all = 1;
    for (int i = 0; i < count; i++) all *= lengths[i];
    return all;
}

/* Whether the last axis of an array is a run in memory; steps that are never taken may be any. */
INLINE int is_close(npy_intp step, npy_intp length, npy_intp size) {
    return SIDE_BY_SIDE(step) || length == 1 || size == 0;
}

/* Some numbers as a block of COLUMNS, with zeros at its end. */
INLINE void some_columns(const char *from, npy_intp step, npy_intp columns, float *to) {
    if (columns == COLUMNS && SIDE_BY_SIDE(step))
        memcpy(to, from, COLUMNS * sizeof(float));
    else if (columns == COLUMNS)
        for (npy_intp c = 0; c < COLUMNS; c++) to[c] = FLOAT(from + c * step);
    else
        for (npy_intp c = 0; c < COLUMNS; c++) to[c] = c < columns ? FLOAT(from + c * step) : 0.0f;
}

/* The filter [lines, places, run, results] as blocks of COLUMNS results, with zeros at the end. */
INLINE void packed(const char *filter, const npy_intp *steps, const Window *window,
                   npy_intp results, float *to) {
    for (npy_intp first = 0; first < results; first += COLUMNS)
        for (npy_intp line = 0; line < window->lines; line++)
            for (npy_intp place = 0; place < window->places; place++)
                for (npy_intp k = 0; k < window->run; k++) {
                    const char *from =
                        filter + line * steps[0] + place * steps[1] + k * steps[2] + first * steps[3];
                    npy_intp count = at_most(COLUMNS, results - first);
                    some_columns(from, steps[3], count, to);
                    to += COLUMNS;
                }
}

/* (n,h,w,l,p,r),(l,p,r,c)->(n,h,w,c): for each window the sum of the numbers that it sees, weighted by
 * the filter. */
void FOR_THIS(correlated)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp images = counts[1], rows = counts[2], width = counts[3], results = counts[7];
    const npy_intp *x_steps = steps + 3, *out_steps = steps + 13;
    Window window = {counts[4], counts[5], counts[6], x_steps[3], x_steps[4]};
    npy_intp panel = window.lines * window.places * window.run * COLUMNS;
    npy_intp panels = (results + COLUMNS - 1) / COLUMNS;
    (void)none;
    if (refused(is_close(x_steps[5], window.run, product(counts, 7)) &&
                is_close(out_steps[3], results, product(counts, 4) * results), APART))
        return;
    float *weights = memory_for(panels * panel + 1);
    if (weights == NULL) return;
    for (npy_intp each = 0; each < counts[0]; each++) {
        const char *x = args[0] + each * steps[0];
        packed(args[1] + each * steps[1], steps + 9, &window, results, weights);
        for (npy_intp row = 0; row < images * rows; row++)
            for (npy_intp q = 0; q < panels; q++) {
                npy_intp first = q * COLUMNS, columns = at_most(COLUMNS, results - first);
                npy_intp image = row / rows, down = row % rows;
                char *out = args[2] + each * steps[2] + image * out_steps[0] + down * out_steps[1];
                (columns > WIDTH ? wide_line : narrow_line)(
                    width, x + image * x_steps[0] + down * x_steps[1], x_steps[2], &window,
                    weights + q * panel, (char *)((float *)out + first),
                    out_steps[2], columns);
            }
    }
    free(weights);
    say_nothing();
}

/* Add to some weights, one beside the other, what windows saw there, times what was given. */
INLINE void weights_of(int count, int vectors, const char *x, npy_intp row_step, npy_intp step,
                       npy_intp rows, npy_intp width, const float *given, float *out) {
    Vector sums[SUMS];
    for (int i = 0; i < count; i++)
        for (int v = 0; v < vectors; v++)
            sums[i * vectors + v] = loaded(out + i * COLUMNS + v * WIDTH);
    for (npy_intp row = 0; row < rows; row++) {
        const char *seen = x + row * row_step;
        for (npy_intp j = 0; j < width; j++, seen += step, given += COLUMNS) {
            Vector own[VECTORS];
            for (int v = 0; v < vectors; v++) own[v] = loaded(given + v * WIDTH);
            for (int i = 0; i < count; i++) {
                Vector number = repeated(((const float *)seen)[i]);
                for (int v = 0; v < vectors; v++)
                    sums[i * vectors + v] = VECTOR_FMA(number, own[v], sums[i * vectors + v]);
            }
        }
    }
    for (int i = 0; i < count; i++)
        for (int v = 0; v < vectors; v++)
            stored(sums[i * vectors + v], out + i * COLUMNS + v * WIDTH);
}

/* The same for any number of weights. */
INLINE void line_of_weights(int vectors, npy_intp count, const char *x, npy_intp row_step,
                            npy_intp step, npy_intp rows, npy_intp width, const float *given,
                            float *out) {
    const int most = SUMS / vectors;
    while (count > 0) {
        int some = next_of(count, most);
#define SOME(k)                                                                                  \
    case k:                                                                                      \
        weights_of((k) < most ? (k) : most, vectors, x, row_step, step, rows, width, given, out); \
        break;
        switch (some) { UP_TO_SUMS(SOME) }
#undef SOME
        x += some * sizeof(float), out += some * COLUMNS;
        count -= some;
    }
}

static void wide_weights(npy_intp count, const char *x, npy_intp row_step, npy_intp step,
                         npy_intp rows, npy_intp width, const float *given, float *out) {
    line_of_weights(VECTORS, count, x, row_step, step, rows, width, given, out);
}

static void narrow_weights(npy_intp count, const char *x, npy_intp row_step, npy_intp step,
                           npy_intp rows, npy_intp width, const float *given, float *out) {
    line_of_weights(1, count, x, row_step, step, rows, width, given, out);
}

/* What is given for some windows, with zeros after the last columns. What is given for the next ones
 * comes into a cache while these are summed. */
INLINE void packed_rows(const char *g, const npy_intp *steps, npy_intp rows, npy_intp width,
                        npy_intp columns, float *to) {
    for (npy_intp i = 0; i < rows; i++)
        for (npy_intp j = 0; j < width; j++, to += COLUMNS) {
            const char *from = g + i * steps[1] + j * steps[2];
            __builtin_prefetch(from + rows * steps[1], 0, 2);
            some_columns(from, steps[3], columns, to);
        }
}

#define NEAR 128 /* windows whose results stay in the nearest cache */
#define NEAR_WEIGHTS (1 << 17) /* which stay in the next one, beside what the windows see */

/* Add to the weights of some panels what all windows saw there, times what was given for them: all
 * panels for the same windows, as these are large. */
INLINE void add_weights(char **args, const npy_intp *counts, const npy_intp *steps, npy_intp first,
                        npy_intp last, npy_intp together, float *given, float *weights) {
    npy_intp images = counts[1], height = counts[2], width = counts[3];
    npy_intp lines = counts[4], places = counts[5], run = counts[6];
    const npy_intp *x_steps = steps + 3, *g_steps = steps + 9;
    for (npy_intp image = 0; image < images; image++)
        for (npy_intp row = 0; row < height; row += together) {
            npy_intp rows = at_most(together, height - row);
            const char *x = args[0] + image * x_steps[0] + row * x_steps[1];
            const char *g = args[1] + image * g_steps[0] + row * g_steps[1];
            float *to = weights;
            for (npy_intp column = first; column < last; column += COLUMNS) {
                npy_intp columns = at_most(COLUMNS, last - column);
                packed_rows(g + column * g_steps[3], g_steps, rows, width, columns, given);
                for (npy_intp line = 0; line < lines; line++)
                    for (npy_intp place = 0; place < places; place++, to += run * COLUMNS)
                        (columns > WIDTH ? wide_weights : narrow_weights)(
                            run, x + line * x_steps[3] + place * x_steps[4], x_steps[1], x_steps[2],
                            rows, width, given, to);
            }
        }
}

/* Copy panels of weights to where they belong. */
INLINE void unpacked(const float *weights, const npy_intp *counts, const npy_intp *steps,
                     npy_intp columns, char *out) {
    npy_intp places = counts[5], run = counts[6], each = counts[4] * places * run;
    for (npy_intp column = 0; column < columns; column += COLUMNS)
        for (npy_intp i = 0; i < each; i++, weights += COLUMNS) {
            char *to = out + i / run / places * steps[0] + i / run % places * steps[1] +
                       i % run * steps[2] + column * steps[3];
            npy_intp some = at_most(COLUMNS, columns - column);
            if (SIDE_BY_SIDE(steps[3]))
                first_columns(weights, some, (float *)to);
            else
                for (npy_intp c = 0; c < some; c++) FLOAT(to + c * steps[3]) = weights[c];
        }
}

/* (n,h,w,l,p,r),(n,h,w,c)->(l,p,r,c): for each weight the sum of what windows saw there, times what
 * was given for their results. */
void FOR_THIS(filter_gradient)(char **args, const npy_intp *counts, const npy_intp *steps,
                               void *none) {
    npy_intp height = counts[2], width = counts[3], results = counts[7];
    npy_intp together = at_most(height, width < NEAR ? NEAR / (width > 0 ? width : 1) : 1);
    npy_intp panel = product(counts + 4, 3) * COLUMNS;
    npy_intp panels = panel < NEAR_WEIGHTS && panel > 0 ? NEAR_WEIGHTS / panel : 1;
    (void)none;
    panels = at_most((results + COLUMNS - 1) / COLUMNS, panels);
    if (refused(is_close(steps[8], counts[6], product(counts, 7)), APART)) return;
    float *given = memory_for(together * width * COLUMNS + panels * panel + 1);
    float *weights = given + together * width * COLUMNS;
    if (given == NULL) return;
    for (npy_intp each = 0; each < counts[0]; each++) {
        char *own[3];
        for (int i = 0; i < 3; i++) own[i] = args[i] + each * steps[i];
        for (npy_intp first = 0; first < results; first += panels * COLUMNS) {
            npy_intp last = at_most(results, first + panels * COLUMNS);
            memset(weights, 0, (size_t)(panels * panel) * sizeof(float));
            add_weights(own, counts, steps, first, last, together, given, weights);
            unpacked(weights, counts, steps + 13, last - first, own[2] + first * steps[16]);
        }
    }
    free(given);
    say_nothing();
}

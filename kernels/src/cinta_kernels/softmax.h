/* The exponentials of a softmax, and its gradient. */

/* The exponentials of numbers less the largest of them, and their sum. */
INLINE float exponentials_of(const float *x, float top, float *to, npy_intp n) {
    for (npy_intp i = 0; i < n; i++) to[i] = exp_below(x[i] - top);
    return sum_of(to, n);
}

/* (n)->(n),(),(): exponentials, their sum, and what was subtracted. */
void FOR_THIS(exponentials)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp rows = counts[0], n = counts[1], step = steps[4], out_step = steps[5];
    char *x = args[0], *out = args[1], *sum = args[2], *subtracted = args[3];
    int gaps = !SIDE_BY_SIDE(step) || !SIDE_BY_SIDE(out_step);
    float *buffer = gaps ? malloc(2 * (size_t)n * sizeof(float)) : NULL;
    (void)none;
    if (gaps && buffer == NULL) {
        PyGILState_STATE state = PyGILState_Ensure();
        PyErr_NoMemory();
        PyGILState_Release(state);
        return;
    }
    for (npy_intp row = 0; row < rows; row++) {
        const float *from = gathered(x, step, n, buffer);
        float *to = SIDE_BY_SIDE(out_step) ? (float *)out : buffer + n;
        float top = largest_of(from, n);
        FLOAT(sum) = exponentials_of(from, top, to, n);
        FLOAT(subtracted) = top;
        scattered(to, out, out_step, n);
        x += steps[0], out += steps[1], sum += steps[2], subtracted += steps[3];
    }
    free(buffer);
    say_nothing();
}

INLINE float sum_of_products(const float *x, const float *y, npy_intp n) {
    Vector lanes[LANE_VECTORS] = {0};
    float rest = 0;
    npy_intp i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int v = 0; v < LANE_VECTORS; v++)
            lanes[v] = VECTOR_FMA(loaded(x + i + v * WIDTH), loaded(y + i + v * WIDTH), lanes[v]);
    for (; i < n; i++) rest = FMA(x[i], y[i], rest);
    return total_of(lanes, LANE_VECTORS) + rest;
}

/* (n),(n)->(n): softmax (gradient - sum(gradient softmax)). */
void FOR_THIS(softmax_gradient)(char **args, const npy_intp *counts, const npy_intp *steps,
                                void *none) {
    npy_intp n = counts[1];
    (void)none;
    if (refused(IN_A_ROW(steps[3]) && IN_A_ROW(steps[4]) && IN_A_ROW(steps[5]), APART)) return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *g = (const float *)(args[0] + row * steps[0]);
        const float *softmax = (const float *)(args[1] + row * steps[1]);
        float *out = (float *)(args[2] + row * steps[2]);
        float common = sum_of_products(g, softmax, n);
        for (npy_intp i = 0; i < n; i++) out[i] = softmax[i] * (g[i] - common);
    }
    say_nothing();
}

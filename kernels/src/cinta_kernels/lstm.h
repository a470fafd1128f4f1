/* What a step of an LSTM does beside its product: the gates of a unit stand apart, as i f new o. */

#define FOUR_GATES "there must be four gates for each unit"

/* Whether the last axes of arrays with numbers for units, or for their gates (g), are runs. */
INLINE int are_close(const npy_intp *steps, const char *what, npy_intp units) {
    for (; *what; what++, steps++)
        if (!is_close(*steps, *what == 'g' ? 4 * units : units, units)) return 0;
    return 1;
}

/* (m),(m),(n)->(m),(n),(n): from what state and input say to the gates, and from the cells, the
 * gates, the new cells and what they show. */
void FOR_THIS(lstm_step)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp n = counts[2];
    (void)none;
    if (refused(counts[1] == 4 * n, FOUR_GATES) || refused(are_close(steps + 6, "gg.g..", n), APART))
        return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *said = (const float *)(args[0] + row * steps[0]);
        const float *given = (const float *)(args[1] + row * steps[1]);
        const float *before = (const float *)(args[2] + row * steps[2]);
        float *restrict gates = (float *)(args[3] + row * steps[3]);
        float *restrict cell = (float *)(args[4] + row * steps[4]);
        float *restrict shown = (float *)(args[5] + row * steps[5]);
        for (npy_intp k = 0; k < 2 * n; k++) gates[k] = sigmoid_of(said[k] + given[k]);
        for (npy_intp k = 2 * n; k < 3 * n; k++) gates[k] = tanh_of(said[k] + given[k]);
        for (npy_intp k = 3 * n; k < 4 * n; k++) gates[k] = sigmoid_of(said[k] + given[k]);
        APART_IN_MEMORY
        for (npy_intp k = 0; k < n; k++) {
            cell[k] = gates[n + k] * before[k] + gates[k] * gates[2 * n + k];
            shown[k] = gates[3 * n + k] * tanh_of(cell[k]);
        }
    }
    say_nothing();
}

/* (m),(m),(n),(n),(n),(n),(n)->(m),(n),(n): from the gates, the gradients that come to them from
 * elsewhere, the cells before and after the step, and the gradients of what they show, of the cells
 * from elsewhere and from the next step, those of what is said, of the cells, and of those before. */
void FOR_THIS(lstm_step_gradient)(char **args, const npy_intp *counts, const npy_intp *steps,
                                  void *none) {
    npy_intp n = counts[2];
    (void)none;
    if (refused(counts[1] == 4 * n, FOUR_GATES) ||
        refused(are_close(steps + 10, "gg.....g..", n), APART))
        return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *inner[7];
        for (int i = 0; i < 7; i++) inner[i] = (const float *)(args[i] + row * steps[i]);
        const float *i = inner[0], *f = i + n, *new = f + n, *o = new + n, *to_gates = inner[1];
        const float *before = inner[2], *after = inner[3], *by_shown = inner[4];
        const float *elsewhere = inner[5], *next = inner[6];
        float *restrict said = (float *)(args[7] + row * steps[7]);
        float *restrict cell = (float *)(args[8] + row * steps[8]);
        float *restrict carried = (float *)(args[9] + row * steps[9]);
        APART_IN_MEMORY
        for (npy_intp k = 0; k < n; k++) {
            float shown = tanh_of(after[k]), h = by_shown[k];
            float c = elsewhere[k] + next[k] + o[k] * (1.0f - shown * shown) * h;
            said[k] = (i[k] - i[k] * i[k]) * (new[k] * c + to_gates[k]);
            said[n + k] = (f[k] - f[k] * f[k]) * (before[k] * c + to_gates[n + k]);
            said[2 * n + k] = (1.0f - new[k] * new[k]) * (i[k] * c + to_gates[2 * n + k]);
            said[3 * n + k] = (o[k] - o[k] * o[k]) * (shown * h + to_gates[3 * n + k]);
            cell[k] = c;
            carried[k] = f[k] * c;
        }
    }
    say_nothing();
}

/* The steps of an LSTM, and back: for each step a product with packed weights, and one pass over what
 * it gives. The gates of a unit stand apart, as i f new o. */

#define FOUR_GATES "there must be four gates for each unit"

/* Whether the last axes of arrays with numbers for units, or for their gates (g), are runs. */
INLINE int are_close(const npy_intp *steps, const char *what, npy_intp units) {
    for (; *what; what++, steps++)
        if (!is_close(*steps, *what == 'g' ? 4 * units : units, units)) return 0;
    return 1;
}

/* For one row of a step, from what state and input say to the gates, and from the cells, the gates, the
 * new cells and what they show. The gates may stand where the state said something to them. */
INLINE void unit_step(const float *said, const float *given, const float *before, float *gates,
                      float *cell, float *shown, npy_intp n) {
    APART_IN_MEMORY
    for (npy_intp k = 0; k < 2 * n; k++) gates[k] = sigmoid_of(said[k] + given[k]);
    APART_IN_MEMORY
    for (npy_intp k = 2 * n; k < 3 * n; k++) gates[k] = tanh_of(said[k] + given[k]);
    APART_IN_MEMORY
    for (npy_intp k = 3 * n; k < 4 * n; k++) gates[k] = sigmoid_of(said[k] + given[k]);
    APART_IN_MEMORY
    for (npy_intp k = 0; k < n; k++) {
        cell[k] = gates[n + k] * before[k] + gates[k] * gates[2 * n + k];
        shown[k] = gates[3 * n + k] * tanh_of(cell[k]);
    }
}

/* (m),(m),(n)->(m),(n),(n): a step, where the weights are too many to be packed. */
void FOR_THIS(lstm_step)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp n = counts[2];
    (void)none;
    if (refused(counts[1] == 4 * n, FOUR_GATES) || refused(are_close(steps + 6, "gg.g..", n), APART))
        return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *said = (const float *)(args[0] + row * steps[0]);
        const float *given = (const float *)(args[1] + row * steps[1]);
        const float *before = (const float *)(args[2] + row * steps[2]);
        float *gates = (float *)(args[3] + row * steps[3]);
        float *cell = (float *)(args[4] + row * steps[4]);
        float *shown = (float *)(args[5] + row * steps[5]);
        unit_step(said, given, before, gates, cell, shown, n);
    }
    say_nothing();
}

/* For one row of a step: from the gates, the gradients that come to them from elsewhere, the cells
 * before and after the step, and the gradients of what they show, of the cells from elsewhere and from
 * the next step, those of what is said, of the cells, and of those before. These may stand where those
 * from the next step did. */
INLINE void unit_gradient(const float *i, const float *to_gates, const float *before,
                          const float *after, const float *by_shown, const float *elsewhere,
                          const float *next, float *said, float *cell, float *carried,
                          npy_intp n) {
    const float *f = i + n, *new = f + n, *o = new + n;
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

/* (m),(m),(n),(n),(n),(n),(n)->(m),(n),(n): its gradient. */
void FOR_THIS(lstm_step_gradient)(char **args, const npy_intp *counts, const npy_intp *steps,
                                  void *none) {
    npy_intp n = counts[2];
    (void)none;
    if (refused(counts[1] == 4 * n, FOUR_GATES) ||
        refused(are_close(steps + 10, "gg.....g..", n), APART))
        return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *inner[7];
        float *made[3];
        for (int i = 0; i < 7; i++) inner[i] = (const float *)(args[i] + row * steps[i]);
        for (int i = 0; i < 3; i++) made[i] = (float *)(args[7 + i] + row * steps[7 + i]);
        unit_gradient(inner[0], inner[1], inner[2], inner[3], inner[4], inner[5], inner[6], made[0],
                      made[1], made[2], n);
    }
    say_nothing();
}

/* What rows say to the results of a packed filter: products of a matrix [rows, inner]. */
INLINE void said_by(const float *x, npy_intp rows, npy_intp inner, const float *weights,
                    npy_intp results, float *out) {
    products((const char *)x, inner * sizeof(float), rows, inner, weights, inner * COLUMNS, results,
             (char *)out, results * sizeof(float));
}

/* Whether the rows of sequences [times, rows, numbers] stand side by side, whatever is between steps. */
INLINE int has_whole_rows(const npy_intp *steps, npy_intp rows, npy_intp numbers) {
    return is_close(steps[2], numbers, rows * numbers) &&
           (steps[1] == numbers * (npy_intp)sizeof(float) || rows <= 1 || numbers == 0);
}

/* (t,b,g),(n,g),(b,n),(b,n)->(t,b,n),(t,b,n),(t,b,g): from what inputs say to the gates, the weights of
 * the state and the first states and cells, the outputs, the cells and the gates of all steps. */
void FOR_THIS(lstm_steps)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp times = counts[1], rows = counts[2], n = counts[4], units = rows * n;
    const npy_intp *u_steps = steps + 10;
    (void)none;
    int whole = times == 0;
    whole = whole || (has_whole_rows(steps + 7, rows, 4 * n) && has_whole_rows(steps + 11, rows, n) &&
                      has_whole_rows(steps + 13, rows, n) && has_whole_rows(steps + 16, rows, n) &&
                      has_whole_rows(steps + 19, rows, n) && has_whole_rows(steps + 22, rows, 4 * n));
    if (refused(counts[3] == 4 * n, FOUR_GATES) || refused(whole, APART)) return;
    float *weights = memory_for(room_for(n, 4 * n) + 1);
    if (weights == NULL) return;
    for (npy_intp each = 0; each < counts[0]; each++) {
        char *of[7];
        for (int i = 0; i < 7; i++) of[i] = args[i] + each * steps[i];
        const float *h = (const float *)of[2], *c = (const float *)of[3];
        packed_matrix(of[1], u_steps[0], u_steps[1], n, 4 * n, weights);
        for (npy_intp t = 0; t < times; t++) {
            const float *given = (const float *)(of[0] + t * steps[7]);
            float *shown = (float *)(of[4] + t * steps[16]), *cells = (float *)(of[5] + t * steps[19]);
            float *gates = (float *)(of[6] + t * steps[22]);
            said_by(h, rows, n, weights, 4 * n, gates);
            for (npy_intp at = 0; at < units; at += n)
                unit_step(gates + 4 * at, given + 4 * at, c + at, gates + 4 * at, cells + at,
                          shown + at, n);
            h = shown, c = cells;
        }
    }
    free(weights);
    say_nothing();
}

/* (t,b,n),(t,b,n),(t,b,g),(t,b,g),(t,b,n),(b,n),(n,g)->(t,b,g),(t,b,n),(t,b,n): from the gradients that come
 * to outputs, cells and gates, the gates and the cells, the first cells and the weights of the state,
 * the gradients of what is said to the gates, of cells and of outputs. */
void FOR_THIS(lstm_steps_gradient)(char **args, const npy_intp *counts, const npy_intp *steps,
                                   void *none) {
    npy_intp times = counts[1], rows = counts[2], n = counts[3], units = rows * n;
    const npy_intp *u_steps = steps + 27;
    (void)none;
    static const int three_axes[] = {10, 13, 16, 19, 22, 29, 32, 35};
    static const int gates_each[] = {1, 1, 4, 4, 1, 4, 1, 1};
    int whole = has_whole_rows(steps + 24, rows, n);
    for (int i = 0; i < 8; i++)
        whole = whole && has_whole_rows(steps + three_axes[i], rows, gates_each[i] * n);
    if (refused(counts[4] == 4 * n, FOUR_GATES) || refused(whole || times == 0, APART)) return;
    float *carried = memory_for(units + room_for(4 * n, n) + 1), *weights = carried + units;
    if (carried == NULL) return;
    for (npy_intp each = 0; each < counts[0]; each++) {
        char *of[10];
        for (int i = 0; i < 10; i++) of[i] = args[i] + each * steps[i];
        packed_matrix(of[6], u_steps[1], u_steps[0], 4 * n, n, weights);
        memset(carried, 0, units * sizeof(float));
        for (npy_intp t = times - 1; t >= 0; t--) {
            const float *at[5]; /* of outputs, cells and gates, then gates and cells */
            for (int i = 0; i < 5; i++) at[i] = (const float *)(of[i] + t * steps[10 + 3 * i]);
            const float *before = (const float *)(t > 0 ? of[4] + (t - 1) * steps[22] : of[5]);
            float *said = (float *)(of[7] + t * steps[29]), *cell = (float *)(of[8] + t * steps[32]);
            float *h = (float *)(of[9] + t * steps[35]);
            if (t < times - 1)
                said_by((const float *)(of[7] + (t + 1) * steps[29]), rows, 4 * n, weights, n, h);
            else
                memset(h, 0, units * sizeof(float));
            for (npy_intp k = 0; k < units; k++) h[k] += at[0][k];
            for (npy_intp k = 0; k < units; k += n)
                unit_gradient(at[3] + 4 * k, at[2] + 4 * k, before + k, at[4] + k, h + k, at[1] + k,
                              carried + k, said + 4 * k, cell + k, carried + k, n);
        }
    }
    free(carried);
    say_nothing();
}

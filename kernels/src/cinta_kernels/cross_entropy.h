/* Minus the logarithm of a softmax at one place of each row, and its gradient. */

#define NO_PLACE "there is no such place in a row"
#define SURE 0.5f /* a share from which on digits are lost if it is subtracted from 1 */

INLINE npy_intp place_at(const char *from) { return *(const npy_intp *)from; }

INLINE int are_places(const char *from, npy_intp step, npy_intp rows, npy_intp n) {
    for (npy_intp row = 0; row < rows; row++, from += step)
        if (place_at(from) < 0 || place_at(from) >= n) return 0;
    return 1;
}

/* Whether a loop must not run: a place is not in its row, or the numbers of rows are apart. */
INLINE int are_refused(char **args, const npy_intp *counts, const npy_intp *steps) {
    npy_intp n = counts[1];
    return refused(are_places(args[1], steps[1], counts[0], n), NO_PLACE) ||
           refused(IN_A_ROW(steps[5]) && IN_A_ROW(steps[6]), APART);
}

/* (n),()->(),(n),(): the loss, the exponentials and their sum. A small loss comes from the other
 * exponentials alone. */
void FOR_THIS(cross_entropy)(char **args, const npy_intp *counts, const npy_intp *steps,
                             void *none) {
    npy_intp n = counts[1];
    (void)none;
    if (are_refused(args, counts, steps)) return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *x = (const float *)(args[0] + row * steps[0]);
        npy_intp place = place_at(args[1] + row * steps[1]);
        float *powers = (float *)(args[3] + row * steps[3]);
        float top = largest_of(x, n), below = x[place] - top;
        float total = exponentials_of(x, top, powers, n), own = powers[place];
        double loss = log((double)total) - (double)below;
        if (own > SURE * total) {
            powers[place] = 0.0f;
            loss = log1p((double)sum_of(powers, n) / (double)own);
            powers[place] = own;
        }
        FLOAT(args[2] + row * steps[2]) = (float)loss;
        FLOAT(args[4] + row * steps[4]) = total;
    }
    say_nothing();
}

/* (n),(),(),()->(n): from the exponentials, the place, their sum and a weight, the weighted softmax
 * with the weight subtracted at the place. */
void FOR_THIS(cross_entropy_gradient)(char **args, const npy_intp *counts, const npy_intp *steps,
                                      void *none) {
    npy_intp n = counts[1];
    (void)none;
    if (are_refused(args, counts, steps)) return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *powers = (const float *)(args[0] + row * steps[0]);
        npy_intp place = place_at(args[1] + row * steps[1]);
        float total = FLOAT(args[2] + row * steps[2]), weight = FLOAT(args[3] + row * steps[3]);
        float *out = (float *)(args[4] + row * steps[4]);
        float factor = weight / total, own = powers[place] / total;
        for (npy_intp i = 0; i < n; i++) out[i] = powers[i] * factor;
        out[place] = own > SURE ? 0.0f : weight * (own - 1.0f);
        if (own > SURE) out[place] = -sum_of(out, n);
    }
    say_nothing();
}

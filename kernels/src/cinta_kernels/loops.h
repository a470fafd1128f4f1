/* Loops of ufuncs and gufuncs, compiled once for each kind of processor: FOR_THIS(name) is the
 * name of a loop with the kind at its end. Signatures and strides are those of NumPy. */

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <fenv.h>
#include <numpy/ndarraytypes.h>
#include <stdlib.h>

#include "numbers.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define FOR_THIS(name) JOIN(name, KIND)
#define FLOAT(pointer) (*(float *)(pointer))
#define SIDE_BY_SIDE(step) ((step) == (npy_intp)sizeof(float))

/* Infinity and NaN are results like others: NumPy is not to warn of them, as it does for a flag. */
INLINE void say_nothing(void) { feclearexcept(FE_ALL_EXCEPT); }

/* The result may be the input itself, number by number; compilers check at run time what else may
 * overlap, as NumPy has copied already where it must. */
#define OF_ONE(name, function)                                                                   \
    void FOR_THIS(name)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) { \
        npy_intp n = counts[0];                                                                  \
        (void)none;                                                                              \
        if (SIDE_BY_SIDE(steps[0]) && SIDE_BY_SIDE(steps[1])) {                                  \
            const float *x = (const float *)args[0];                                             \
            float *out = (float *)args[1];                                                       \
            for (npy_intp i = 0; i < n; i++) out[i] = function(x[i]);                            \
        } else {                                                                                 \
            char *x = args[0], *out = args[1];                                                   \
            for (npy_intp i = 0; i < n; i++, x += steps[0], out += steps[1])                     \
                FLOAT(out) = function(FLOAT(x));                                                 \
        }                                                                                        \
        say_nothing();                                                                           \
    }

#define OF_TWO(name, function)                                                                   \
    void FOR_THIS(name)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) { \
        npy_intp n = counts[0];                                                                  \
        (void)none;                                                                              \
        if (SIDE_BY_SIDE(steps[0]) && SIDE_BY_SIDE(steps[1]) && SIDE_BY_SIDE(steps[2])) {        \
            const float *x = (const float *)args[0], *y = (const float *)args[1];                \
            float *out = (float *)args[2];                                                       \
            for (npy_intp i = 0; i < n; i++) out[i] = function(x[i], y[i]);                      \
        } else {                                                                                 \
            char *x = args[0], *y = args[1], *out = args[2];                                     \
            for (npy_intp i = 0; i < n; i++, x += steps[0], y += steps[1], out += steps[2])      \
                FLOAT(out) = function(FLOAT(x), FLOAT(y));                                       \
        }                                                                                        \
        say_nothing();                                                                           \
    }

OF_ONE(exp, exp_of)
OF_ONE(tanh, tanh_of)
OF_ONE(sigmoid, sigmoid_of)
OF_ONE(sigmoid_slope, sigmoid_slope_of)
OF_ONE(silu, silu_of)
OF_ONE(silu_slope, silu_slope_of)
OF_ONE(gelu, gelu_of)
OF_ONE(tanh_gelu, tanh_gelu_of)
OF_ONE(tanh_gelu_slope, tanh_gelu_slope_of)
OF_TWO(gelu_slope, gelu_slope_of)
OF_TWO(sigmoid_grad, sigmoid_grad_of)
OF_TWO(tanh_grad, tanh_grad_of)

/* -- rows ------------------------------------------------------------------------------------- */

#define LANES 64 /* as many sums side by side: compilers keep such loops, and make vectors of them */

/* The sum of the lanes, in an order that is the same for all kinds of processors. */
INLINE float total_of(float *lanes) {
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int k = 0; k < width; k++) lanes[k] += lanes[k + width];
    return lanes[0];
}

/* Numbers with gaps between them are copied to be side by side. */
INLINE const float *gathered(const char *from, npy_intp step, npy_intp n, float *buffer) {
    if (SIDE_BY_SIDE(step)) return (const float *)from;
    for (npy_intp i = 0; i < n; i++) buffer[i] = FLOAT(from + i * step);
    return buffer;
}

INLINE void scattered(const float *from, char *to, npy_intp step, npy_intp n) {
    if ((const char *)from == to) return;
    for (npy_intp i = 0; i < n; i++) FLOAT(to + i * step) = from[i];
}

INLINE float largest_of(const float *x, npy_intp n) {
    float lanes[LANES], top = -INFINITY;
    npy_intp i = 0;
    for (int k = 0; k < LANES; k++) lanes[k] = -INFINITY;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++) lanes[k] = larger(x[i + k], lanes[k]);
    for (; i < n; i++) top = larger(x[i], top);
    for (int k = 0; k < LANES; k++) top = larger(lanes[k], top);
    return top;
}

INLINE float sum_of(const float *x, npy_intp n) {
    float lanes[LANES] = {0};
    npy_intp i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++) lanes[k] += x[i + k];
    for (int k = 0; i < n; i++, k++) lanes[k] += x[i];
    return total_of(lanes);
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
        for (npy_intp i = 0; i < n; i++) to[i] = exp_of(from[i] - top);
        FLOAT(sum) = sum_of(to, n);
        FLOAT(subtracted) = top;
        scattered(to, out, out_step, n);
        x += steps[0], out += steps[1], sum += steps[2], subtracted += steps[3];
    }
    free(buffer);
    say_nothing();
}

/* Rows of the functions below are side by side in memory; they are refused otherwise. NumPy may give
 * any step for a single number. */
#define IN_A_ROW(step) (SIDE_BY_SIDE(step) || n == 1)

INLINE int refused(int close) {
    if (close) return 0;
    PyGILState_STATE state = PyGILState_Ensure();
    PyErr_SetString(PyExc_ValueError, "rows must be contiguous: use np.ascontiguousarray");
    PyGILState_Release(state);
    return 1;
}

/* (n),(),()->(),(): the mean, or 0 where the last argument is; and 1 / sqrt(variance + epsilon). */
void FOR_THIS(row_statistics)(char **args, const npy_intp *counts, const npy_intp *steps,
                              void *none) {
    npy_intp n = counts[1];
    (void)none;
    if (refused(IN_A_ROW(steps[5]))) return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *x = (const float *)(args[0] + row * steps[0]);
        float epsilon = FLOAT(args[1] + row * steps[1]), centered = FLOAT(args[2] + row * steps[2]);
        float mean = centered == 0.0f ? 0.0f : sum_of(x, n) / (float)n;
        float lanes[LANES] = {0};
        npy_intp i = 0;
        for (; i + LANES <= n; i += LANES)
            for (int k = 0; k < LANES; k++) {
                float away = x[i + k] - mean;
                lanes[k] = FMA(away, away, lanes[k]);
            }
        for (int k = 0; i < n; i++, k++) lanes[k] = FMA(x[i] - mean, x[i] - mean, lanes[k]);
        FLOAT(args[3] + row * steps[3]) = mean;
        FLOAT(args[4] + row * steps[4]) = 1.0f / sqrtf(total_of(lanes) / (float)n + epsilon);
    }
    say_nothing();
}

/* (n),(),(),(n),(n)->(n): (x - mean) factor scale + offset. */
void FOR_THIS(normalized)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp n = counts[1];
    (void)none;
    if (refused(IN_A_ROW(steps[6]) && IN_A_ROW(steps[7]) && IN_A_ROW(steps[8]) &&
                IN_A_ROW(steps[9])))
        return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *x = (const float *)(args[0] + row * steps[0]);
        const float *scale = (const float *)(args[3] + row * steps[3]);
        const float *offset = (const float *)(args[4] + row * steps[4]);
        float mean = FLOAT(args[1] + row * steps[1]), factor = FLOAT(args[2] + row * steps[2]);
        float *out = (float *)(args[5] + row * steps[5]);
        for (npy_intp i = 0; i < n; i++) out[i] = FMA((x[i] - mean) * factor, scale[i], offset[i]);
    }
    say_nothing();
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
                IN_A_ROW(core[10])))
        return;
    const float *scale = (const float *)args[4];
    float centered = FLOAT(args[5]) == 0.0f ? 0.0f : 1.0f;
    float *by_scale = (float *)args[7], *by_offset = (float *)args[8];
    for (npy_intp i = 0; i < n; i++) by_scale[i] = by_offset[i] = 0.0f;
    for (npy_intp row = 0; row < rows; row++) {
        const float *g = (const float *)(args[0] + row * core[0]);
        const float *x = (const float *)(args[1] + row * core[2]);
        float mean = FLOAT(args[2] + row * core[4]), factor = FLOAT(args[3] + row * core[5]);
        float *by_x = (float *)(args[6] + row * core[7]);
        float sums[LANES] = {0}, products[LANES] = {0};
        npy_intp i = 0;
        for (; i + LANES <= n; i += LANES)
            for (int k = 0; k < LANES; k++) {
                float h = (x[i + k] - mean) * factor, own = g[i + k] * scale[i + k];
                by_scale[i + k] = FMA(g[i + k], h, by_scale[i + k]);
                by_offset[i + k] += g[i + k];
                sums[k] += own;
                products[k] = FMA(own, h, products[k]);
            }
        for (int k = 0; i < n; i++, k++) {
            float h = (x[i] - mean) * factor, own = g[i] * scale[i];
            by_scale[i] = FMA(g[i], h, by_scale[i]);
            by_offset[i] += g[i];
            sums[k] += own;
            products[k] = FMA(own, h, products[k]);
        }
        float by_mean = centered * total_of(sums) / (float)n;
        float along = total_of(products) / (float)n;
        for (i = 0; i < n; i++) {
            float h = (x[i] - mean) * factor;
            by_x[i] = factor * (FMA(g[i], scale[i], -by_mean) - h * along);
        }
    }
    say_nothing();
}

/* -- windows of images ------------------------------------------------------------------------ */

#define BLOCK 32 /* numbers that fit into the registers of any kind */

/* (i,j,r),(i,j,r)->(r): the sum over the places of a window, each number by its weight. */
void FOR_THIS(weighted)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp windows = counts[0], down = counts[1], across = counts[2], n = counts[3];
    npy_intp x_down = steps[3], x_across = steps[4], x_step = steps[5];
    npy_intp w_down = steps[6], w_across = steps[7], w_step = steps[8], out_step = steps[9];
    int close = SIDE_BY_SIDE(x_step) && SIDE_BY_SIDE(w_step) && SIDE_BY_SIDE(out_step);
    char *x = args[0], *w = args[1], *out = args[2];
    (void)none;
    for (; windows-- > 0; x += steps[0], w += steps[1], out += steps[2]) {
        npy_intp r = 0;
        for (; close && r + BLOCK <= n; r += BLOCK) {
            float sum[BLOCK] = {0};
            for (npy_intp i = 0; i < down; i++)
                for (npy_intp j = 0; j < across; j++) {
                    const float *a = (const float *)(x + i * x_down + j * x_across) + r;
                    const float *b = (const float *)(w + i * w_down + j * w_across) + r;
                    for (int k = 0; k < BLOCK; k++) sum[k] = FMA(a[k], b[k], sum[k]);
                }
            memcpy((float *)out + r, sum, sizeof sum);
        }
        for (; r < n; r++) {
            float sum = 0;
            for (npy_intp i = 0; i < down; i++)
                for (npy_intp j = 0; j < across; j++)
                    sum = FMA(FLOAT(x + i * x_down + j * x_across + r * x_step),
                              FLOAT(w + i * w_down + j * w_across + r * w_step), sum);
            FLOAT(out + r * out_step) = sum;
        }
    }
}

/* (h,i,j,r),(h,r)->(i,j,r): what windows saw at each of their places, weighted by what is given
 * for them, and summed over some of them. */
void FOR_THIS(gathered_weights)(char **args, const npy_intp *counts, const npy_intp *steps,
                                void *none) {
    npy_intp times = counts[0], lines = counts[1], down = counts[2], across = counts[3],
             n = counts[4];
    npy_intp x_line = steps[3], x_down = steps[4], x_across = steps[5], x_step = steps[6];
    npy_intp g_line = steps[7], g_step = steps[8];
    npy_intp out_down = steps[9], out_across = steps[10], out_step = steps[11];
    int close = SIDE_BY_SIDE(x_step) && SIDE_BY_SIDE(g_step) && SIDE_BY_SIDE(out_step);
    char *x = args[0], *g = args[1], *out = args[2];
    (void)none;
    for (; times-- > 0; x += steps[0], g += steps[1], out += steps[2])
        for (npy_intp i = 0; i < down; i++)
            for (npy_intp j = 0; j < across; j++) {
                const char *seen = x + i * x_down + j * x_across;
                char *to = out + i * out_down + j * out_across;
                npy_intp r = 0;
                for (; close && r + BLOCK <= n; r += BLOCK) {
                    float sum[BLOCK] = {0};
                    for (npy_intp line = 0; line < lines; line++) {
                        const float *a = (const float *)(seen + line * x_line) + r;
                        const float *b = (const float *)(g + line * g_line) + r;
                        for (int k = 0; k < BLOCK; k++) sum[k] = FMA(a[k], b[k], sum[k]);
                    }
                    memcpy((float *)to + r, sum, sizeof sum);
                }
                for (; r < n; r++) {
                    float sum = 0;
                    for (npy_intp line = 0; line < lines; line++)
                        sum = FMA(FLOAT(seen + line * x_line + r * x_step),
                                  FLOAT(g + line * g_line + r * g_step), sum);
                    FLOAT(to + r * out_step) = sum;
                }
            }
}

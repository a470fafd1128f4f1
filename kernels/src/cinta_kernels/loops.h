/* Loops of ufuncs and gufuncs, compiled once for each kind of processor: FOR_THIS(name) is the
 * name of a loop with the kind at its end. Signatures and strides are those of NumPy. */

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <fenv.h>
#include <numpy/ndarraytypes.h>
#include <stdlib.h>

#include "numbers.h"
#include "vectors.h"

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
    Lanes lanes = {0};
    float rest = 0;
    npy_intp i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int v = 0; v < LANE_VECTORS; v++) lanes.parts[v] += loaded(x + i + v * WIDTH);
    for (; i < n; i++) rest += x[i];
    return total_of(lanes) + rest;
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
#define APART "rows must be contiguous: use np.ascontiguousarray"
#define IN_A_ROW(step) (SIDE_BY_SIDE(step) || n == 1)

INLINE int refused(int fine, const char *why) {
    if (fine) return 0;
    PyGILState_STATE state = PyGILState_Ensure();
    PyErr_SetString(PyExc_ValueError, why);
    PyGILState_Release(state);
    return 1;
}

/* (n),(),()->(),(): the mean, or 0 where the last argument is; and 1 / sqrt(variance + epsilon). */
void FOR_THIS(row_statistics)(char **args, const npy_intp *counts, const npy_intp *steps,
                              void *none) {
    npy_intp n = counts[1];
    (void)none;
    if (refused(IN_A_ROW(steps[5]), APART)) return;
    for (npy_intp row = 0; row < counts[0]; row++) {
        const float *x = (const float *)(args[0] + row * steps[0]);
        float epsilon = FLOAT(args[1] + row * steps[1]), centered = FLOAT(args[2] + row * steps[2]);
        float mean = centered == 0.0f ? 0.0f : sum_of(x, n) / (float)n;
        Lanes lanes = {0};
        float rest = 0;
        npy_intp i = 0;
        for (; i + LANES <= n; i += LANES)
            for (int v = 0; v < LANE_VECTORS; v++) {
                Vector away = loaded(x + i + v * WIDTH) - repeated(mean);
                lanes.parts[v] = VECTOR_FMA(away, away, lanes.parts[v]);
            }
        for (; i < n; i++) rest = FMA(x[i] - mean, x[i] - mean, rest);
        FLOAT(args[3] + row * steps[3]) = mean;
        FLOAT(args[4] + row * steps[4]) = 1.0f / sqrtf((total_of(lanes) + rest) / (float)n + epsilon);
    }
    say_nothing();
}

/* (n),(),(),(n),(n)->(n): (x - mean) factor scale + offset. */
void FOR_THIS(normalized)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp n = counts[1];
    (void)none;
    if (refused(IN_A_ROW(steps[6]) && IN_A_ROW(steps[7]) && IN_A_ROW(steps[8]) &&
                IN_A_ROW(steps[9]), APART))
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
                IN_A_ROW(core[10]), APART))
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
        Lanes sums = {0}, products = {0};
        float sum = 0, product = 0;
        npy_intp i = 0;
        for (; i + LANES <= n; i += LANES)
            for (int v = 0; v < LANE_VECTORS; v++) {
                npy_intp at = i + v * WIDTH;
                Vector given = loaded(g + at), own = given * loaded(scale + at);
                Vector h = (loaded(x + at) - repeated(mean)) * repeated(factor);
                stored(VECTOR_FMA(given, h, loaded(by_scale + at)), by_scale + at);
                stored(loaded(by_offset + at) + given, by_offset + at);
                sums.parts[v] += own;
                products.parts[v] = VECTOR_FMA(own, h, products.parts[v]);
            }
        for (; i < n; i++) {
            float h = (x[i] - mean) * factor, own = g[i] * scale[i];
            by_scale[i] = FMA(g[i], h, by_scale[i]);
            by_offset[i] += g[i];
            sum += own;
            product = FMA(own, h, product);
        }
        float by_mean = centered * (total_of(sums) + sum) / (float)n;
        float along = (total_of(products) + product) / (float)n;
        for (i = 0; i < n; i++) {
            float h = (x[i] - mean) * factor;
            by_x[i] = factor * (FMA(g[i], scale[i], -by_mean) - h * along);
        }
    }
    say_nothing();
}

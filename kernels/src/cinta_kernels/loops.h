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

/* Before a loop: what is written is not read, as NumPy has copied where arguments overlap. Compilers
 * look at few of them only, and give up on loops with more. */
#ifdef __clang__
#define APART_IN_MEMORY _Pragma("clang loop vectorize(assume_safety)")
#else
#define APART_IN_MEMORY _Pragma("GCC ivdep")
#endif

INLINE npy_intp at_most(npy_intp most, npy_intp n) { return n < most ? n : most; }

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
OF_ONE(log, log_of)
OF_ONE(log1p, log1p_of)
OF_ONE(softplus, softplus_of)
OF_ONE(relu, relu_of)
OF_TWO(relu_grad, relu_grad_of)

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
    Vector lanes[LANE_VECTORS];
    float top = -INFINITY;
    npy_intp i = 0;
    for (int v = 0; v < LANE_VECTORS; v++) lanes[v] = repeated(-INFINITY);
    for (; i + LANES <= n; i += LANES)
        for (int v = 0; v < LANE_VECTORS; v++)
            lanes[v] = larger_vector(loaded(x + i + v * WIDTH), lanes[v]);
    for (; i < n; i++) top = larger(x[i], top);
    for (int v = 1; v < LANE_VECTORS; v++) lanes[0] = larger_vector(lanes[v], lanes[0]);
    return larger(largest_lane(lanes[0]), top);
}

INLINE float sum_of(const float *x, npy_intp n) {
    Vector lanes[LANE_VECTORS] = {0};
    float rest = 0;
    npy_intp i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int v = 0; v < LANE_VECTORS; v++) lanes[v] += loaded(x + i + v * WIDTH);
    for (; i < n; i++) rest += x[i];
    return total_of(lanes, LANE_VECTORS) + rest;
}

/* Rows of the functions below are side by side in memory; they are refused otherwise. NumPy may give
 * any step for a single number. */
#define APART "rows must be contiguous: use np.ascontiguousarray"
#define IN_A_ROW(step) (SIDE_BY_SIDE(step) || n <= 1)

INLINE int refused(int fine, const char *why) {
    if (fine) return 0;
    PyGILState_STATE state = PyGILState_Ensure();
    PyErr_SetString(PyExc_ValueError, why);
    PyGILState_Release(state);
    return 1;
}

/* Functions of one float32 number, written such that compilers turn loops over them into vector
 * instructions: no branches, no calls.
 *
 * Nothing depends on where a number stands in an array, nor on the width of vectors. Polynomials
 * were fitted by kernels/fit_polynomials.py; their errors are below a tenth of a unit in the last
 * place, so what remains is rounding. tests/kernels holds the bounds.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define FMA(a, b, c) __builtin_fmaf(a, b, c)
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#endif

#define INLINE static inline __attribute__((always_inline))

INLINE float from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

INLINE uint32_t to_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

INLINE float larger(float a, float b) { return a > b ? a : b; }
INLINE float size_of(float x) { return from_bits(to_bits(x) & 0x7fffffffu); }
INLINE float with_sign_of(float size, float x) {
    return from_bits(to_bits(size) | (to_bits(x) & 0x80000000u));
}

/* factor * exp(high + low), where low is a small correction: 2^n exp(r), with n the nearest integer
 * to high / log 2. Beyond the bounds the exponential is 0 or infinity all the same; NaN passes
 * through both comparisons. The power of two is multiplied in two halves, and the factor between
 * them, so that products below the smallest normal number are rounded once. */
INLINE float exp_times(float high, float low, float factor) {
    const float to_integer = 12582912.0f; /* 1.5 * 2^23: adding it leaves no room for a fraction */
    float x = high > 89.0f ? 89.0f : high;
    x = x < -150.0f ? -150.0f : x;
    float shifted = FMA(x, 1.44269504088896341f, to_integer);
    float n = shifted - to_integer;
    float r = FMA(n, -0.693145751953125f, x); /* log 2 in two parts; the product is exact */
    r = FMA(n, -1.428606765330187e-06f, r) + low;
    float p = 1.395051243e-03f;
    p = FMA(p, r, 8.368902992e-03f);
    p = FMA(p, r, 4.166620548e-02f);
    p = FMA(p, r, 1.666651873e-01f);
    p = FMA(p, r, 5.000000095e-01f);
    p = FMA(p * r, r, r) + 1.0f;
    int32_t exponent = (int32_t)(to_bits(shifted) - 0x4b400000u);
    int32_t half = exponent >> 1;
    p *= from_bits((uint32_t)(half + 127) << 23);
    return p * factor * from_bits((uint32_t)(exponent - half + 127) << 23);
}

INLINE float exp_of(float x) { return exp_times(x, 0.0f, 1.0f); }

/* Near 0 an odd polynomial; elsewhere 1 - 2 / (exp(2|x|) + 1), which loses nothing there. */
INLINE float tanh_of(float x) {
    float size = size_of(x), square = x * x;
    float p = -5.717036547e-03f;
    p = FMA(p, square, 2.065057899e-02f);
    p = FMA(p, square, -5.374349526e-02f);
    p = FMA(p, square, 1.333149125e-01f);
    p = FMA(p, square, -3.333328392e-01f);
    float near = FMA(p * square, size, size);
    float far = 1.0f - 2.0f / (exp_of(size + size) + 1.0f);
    return with_sign_of(size < 0.625f ? near : far, x);
}

/* factor / (1 + exp(-x)). The exponential of -|x| never overflows, and no digits are lost on either
 * side; what is lost when 1 is added is put back, with a rough 1 / (1 + e). */
INLINE float times_sigmoid(float x, float factor) {
    float size = size_of(x), e = exp_of(-size), below = 1.0f + e, lost = e - (below - 1.0f);
    float share = (x < 0.0f ? exp_times(-size, 0.0f, factor) : factor) / below;
    float mended = FMA(-share, lost * FMA(e, -0.5f, 1.0f), share);
    return with_sign_of(size_of(mended), share); /* for -0 */
}

INLINE float sigmoid_of(float x) { return times_sigmoid(x, 1.0f); }

/* s(x) s(-x), exact also where s(x) is close to 1. */
INLINE float sigmoid_slope_of(float x) {
    float e = exp_of(-size_of(x)), below = 1.0f + e, lost = e - (below - 1.0f);
    float slope = e / below / below;
    return FMA(-slope, lost * (2.0f - e), slope);
}

/* Far on the left it is 0, and at -infinity 0 times infinity, as in NumPy. */
INLINE float silu_of(float x) { return x < -200.0f ? x * 0.0f : times_sigmoid(x, x); }

INLINE float silu_slope_of(float x) {
    float e = exp_of(-size_of(x)), share = 1.0f / (1.0f + e);
    float at = x < 0.0f ? e * share : share, opposite = x < 0.0f ? share : e * share;
    return at * FMA(x, opposite, 1.0f);
}

/* factor * exp(-x^2 / 2): the square is in two parts, because its error would be multiplied. */
INLINE float bell_times(float x, float factor) {
    float square = x * x;
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    float rest = FMA(x, x, -square);
#else
    float high = from_bits(to_bits(x) & 0xfffff000u), low = x - high;
    float rest = (high * high - square) + (high + x) * low;
#endif
    rest = square < 300.0f ? rest : 0.0f;
    return exp_times(-0.5f * square, -0.5f * rest, factor);
}

/* The probability that a normal variable is more than x >= 0, over exp(-x^2 / 2): with z the root of
 * a half times x, erfc(z) exp(z^2) (1 + 2z) is a polynomial of (z - 3) / (z + 3), fitted for z up
 * to 10; beyond, the exponential is 0. */
INLINE float tail_of(float x) {
    float z = 0.70710678118654752f * x, t = (z - 3.0f) / (z + 3.0f);
    t = t < 0.54f ? t : 0.54f;
    float p = -2.689102152e-04f;
    p = FMA(p, t, -7.800945926e-04f);
    p = FMA(p, t, 1.999642672e-03f);
    p = FMA(p, t, 2.567907786e-03f);
    p = FMA(p, t, -2.379619290e-02f);
    p = FMA(p, t, 6.829594455e-02f);
    p = FMA(p, t, -1.192712210e-01f);
    p = FMA(p, t, 1.296463712e-01f);
    p = FMA(p, t, -4.756238406e-02f);
    p = FMA(p, t, -1.356211376e-01f);
    p = FMA(p, t, 1.253008059e+00f);
    return 0.5f * p / FMA(2.0f, z, 1.0f);
}

/* The probability that a normal variable is less than x, for |x| < 1: its odd part is x times a
 * polynomial of the square. */
INLINE float near_of(float x) {
    float square = x * x, p = -7.664678397e-06f;
    p = FMA(p, square, 1.135126530e-04f);
    p = FMA(p, square, -1.186353058e-03f);
    p = FMA(p, square, 9.973331724e-03f);
    p = FMA(p, square, -6.649036097e-02f);
    p = FMA(p, square, 3.989422801e-01f);
    return FMA(p, x, 0.5f);
}

/* Far from 0 it is 0 or x, and at -infinity 0 times infinity, as in NumPy. */
INLINE float gelu_of(float x) {
    float size = size_of(x), product = bell_times(x, x * tail_of(size));
    float far = x < 0.0f ? product : x - product, beyond = x < 0.0f ? x * 0.0f : x;
    far = size > 20.0f ? beyond : far;
    return size < 1.0f ? x * near_of(x) : far;
}

/* The second argument is the gelu itself, of which there is no need here. */
INLINE float gelu_slope_of(float x, float gelu) {
    (void)gelu;
    float size = size_of(x), bell = bell_times(x, 1.0f), tail = tail_of(size) * bell;
    float far = x < 0.0f ? tail : 1.0f - tail, share = size < 1.0f ? near_of(x) : far;
    return FMA(x * 0.39894228040143268f, bell, share);
}

/* Twice the argument of the tanh in the approximate gelu: (1 + tanh(c)) / 2 is the sigmoid of 2c. */
#define GELU_RATE 1.59576912160573071f /* 2 sqrt(2 / pi) */
#define GELU_CUBIC 0.044715f

INLINE float tanh_gelu_of(float x) {
    float twice = GELU_RATE * x * FMA(GELU_CUBIC * x, x, 1.0f);
    return x < -14.0f ? x * 0.0f : times_sigmoid(twice, x);
}

INLINE float tanh_gelu_slope_of(float x) {
    float square = GELU_CUBIC * x * x, cubic = GELU_RATE * x * (1.0f + square);
    float inner = GELU_RATE * FMA(3.0f, square, 1.0f);
    float slope = sigmoid_slope_of(cubic);
    return sigmoid_of(cubic) + (slope == 0.0f ? 0.0f : x * inner * slope);
}

INLINE float sigmoid_grad_of(float y, float dy) { return (1.0f - y) * y * dy; }
INLINE float tanh_grad_of(float y, float dy) { return (1.0f - y * y) * dy; }

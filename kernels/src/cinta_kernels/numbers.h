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
#define FMA(a, b, c) ((float)((double)(a) * (b) + (c)))
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

/* (high + low) * first * second: an exponential, twice as precise as a number, and unscaled. The
 * power of two is in two halves, between which others may be multiplied, so that products below the
 * smallest normal number are rounded once. */
typedef struct {
    float high, low, first, second;
} Power;

/* exp(x + low) is 2^n exp(r), with n the nearest integer to x / log 2, where low is a small correction.
 * Here is exp(r), and n from the bits of a number to which it was added. */
INLINE Power remainder_of(float x, float low, int32_t *n_found) {
    const float to_integer = 12582912.0f; /* 1.5 * 2^23: adding it leaves no room for a fraction */
    float shifted = FMA(x, 1.44269504088896341f, to_integer);
    float n = shifted - to_integer;
    float r = FMA(n, -0.693145751953125f, x); /* log 2 in two parts; the product is exact */
    r = FMA(n, -1.428606765330187e-06f, r) + low;
    float p = 1.395051243e-03f;
    p = FMA(p, r, 8.368902992e-03f);
    p = FMA(p, r, 4.166620548e-02f);
    p = FMA(p, r, 1.666651873e-01f);
    p = FMA(p, r, 5.000000095e-01f);
    p = FMA(p * r, r, r);
    Power e = {p + 1.0f, 0.0f, 1.0f, 1.0f};
    e.low = p - (e.high - 1.0f);
    *n_found = (int32_t)(to_bits(shifted) - 0x4b400000u);
    return e;
}

INLINE float two_to(int32_t n) { return from_bits((uint32_t)(n + 127) << 23); }

/* Beyond the bounds the exponential is 0 or infinity all the same, and so is its product with x; NaN
 * passes through both comparisons. */
INLINE Power power_of(float x, float low) {
    int32_t n;
    x = x > 89.0f ? 89.0f : x;
    x = x < -150.0f ? -150.0f : x;
    Power e = remainder_of(x, low, &n);
    e.first = two_to(n >> 1);
    e.second = two_to(n - (n >> 1));
    return e;
}

/* The same for x <= 0, to the last bit: the second power can be one that is always large enough. */
INLINE Power power_below(float x, float low) {
    int32_t n;
    x = x < -130.0f ? -130.0f : x;
    Power e = remainder_of(x, low, &n);
    e.first = two_to(n + 64);
    e.second = 5.42101086242752217e-20f; /* 2^-64 */
    return e;
}

INLINE float value_of(Power e) { return e.high * e.first * e.second; }
INLINE float exp_of(float x) { return value_of(power_of(x, 0.0f)); }
INLINE float exp_below(float x) { return value_of(power_below(x, 0.0f)); }

/* (high + low) / (below + rest), rounded about once. */
INLINE float quotient(float high, float low, float below, float rest) {
    float inverse = 1.0f / below, share = high * inverse;
    float left = FMA(-share, below, high) + FMA(-share, rest, low);
    return FMA(left, inverse, share);
}

/* Near 0 an odd polynomial; elsewhere 1 - 2e / (1 + e) with e = exp(-2|x|), which loses nothing there. */
INLINE float tanh_of(float x) {
    float size = size_of(x), square = x * x;
    float p = -5.717036547e-03f;
    p = FMA(p, square, 2.065057899e-02f);
    p = FMA(p, square, -5.374349526e-02f);
    p = FMA(p, square, 1.333149125e-01f);
    p = FMA(p, square, -3.333328392e-01f);
    float near = FMA(p * square, size, size);
    float e = exp_below(-(size + size)), far = 1.0f - (e + e) / (1.0f + e);
    return with_sign_of(size < 0.625f ? near : far, x);
}

/* 1 / (1 + exp(-x)). The exponential of -|x| never overflows, and no digits are lost on either side;
 * what is lost when 1 is added is put back, with a rough 1 / (1 + e). */
INLINE float sigmoid_of(float x) {
    float e = exp_below(-size_of(x)), below = 1.0f + e, lost = e - (below - 1.0f);
    float share = (x < 0.0f ? e : 1.0f) / below;
    return FMA(-share, lost * FMA(e, -0.5f, 1.0f), share);
}

/* x / (1 + exp(-x)). Far on the left it is 0, and at -infinity 0 times infinity, as in NumPy; far on
 * the right it is x. */
INLINE float silu_of(float x) {
    Power e = power_below(-size_of(x), 0.0f);
    float power = value_of(e), below = 1.0f + power;
    float rest = (power - (below - 1.0f)) + e.low * e.first * e.second;
    float product = x * e.high, lost = FMA(x, e.high, -product) + x * e.low;
    int left = x < 0.0f;
    float share = quotient(left ? product : x, left ? lost : 0.0f, below, rest);
    share = with_sign_of(size_of(share), x); /* for -0 */
    share *= left ? e.first : 1.0f;
    share *= left ? e.second : 1.0f;
    return x < -200.0f ? x * 0.0f : x > 200.0f ? x : share;
}

/* s(x) s(-x), exact also where s(x) is close to 1: e / (1 + 2e + e^2). */
INLINE float sigmoid_slope_of(float x) {
    Power e = power_below(-size_of(x), 0.0f);
    float power = value_of(e), low = e.low * e.first * e.second;
    float added = FMA(power, power, power + power), below = 1.0f + added;
    float square = power * power, lost = FMA(power, power, -square);
    float twice = power + power, sum = twice + square;
    float rest = (sum - (below - 1.0f)) + ((square - (sum - twice)) + lost);
    rest = FMA(low + low, 1.0f + power, rest);
    return quotient(e.high, e.low, below, rest) * e.first * e.second;
}

INLINE float silu_slope_of(float x) {
    float e = exp_below(-size_of(x)), share = 1.0f / (1.0f + e);
    float at = x < 0.0f ? e * share : share, opposite = x < 0.0f ? share : e * share;
    return at * FMA(x, opposite, 1.0f);
}

/* exp(-x^2 / 2): the square is in two parts, because its error would be multiplied. */
INLINE Power bell_of(float x) {
    float square = x * x, rest = FMA(x, x, -square);
    rest = square < 300.0f ? rest : 0.0f;
    return power_below(-0.5f * square, -0.5f * rest);
}

/* The probability that a normal variable is more than x >= 0, over exp(-x^2 / 2), is half a polynomial
 * of (x - 4) / (x + 4) divided by 1 + 1.4375 x. It was fitted for x up to 14.5; beyond, the exponential
 * is 0. This is the polynomial, as its first coefficient and the rest. */
#define TAIL_AT_4 1.274543643e+00f
#define TAIL_RATE 1.4375f
INLINE float rest_of_tail(float x) {
    float t = (x - 4.0f) / (x + 4.0f);
    t = t < 0.57f ? t : 0.57f;
    float p = -2.110614601e-04f;
    p = FMA(p, t, -1.224801225e-04f);
    p = FMA(p, t, 2.144927067e-03f);
    p = FMA(p, t, -1.442769068e-03f);
    p = FMA(p, t, -1.483028521e-02f);
    p = FMA(p, t, 5.901150965e-02f);
    p = FMA(p, t, -1.195737660e-01f);
    p = FMA(p, t, 1.449686416e-01f);
    p = FMA(p, t, -6.858302725e-02f);
    p = FMA(p, t, -1.289244532e-01f);
    return FMA(p, t, 1.600e-08f); /* what the first coefficient lost when it was rounded */
}

/* The probability that a normal variable is less than x, for |x| < 0.8, less a half. */
INLINE float near_of(float x) {
    float square = x * x, p = -8.257956880e-06f;
    p = FMA(p, square, 1.146023371e-04f);
    p = FMA(p, square, -1.187055804e-03f);
    p = FMA(p, square, 9.973516522e-03f);
    p = FMA(p, square, -6.649037786e-02f);
    p = FMA(p, square, -1.134e-08f); /* what the first coefficient lost when it was rounded */
    float slope = p + 3.989422917e-01f;
    return FMA(slope, x, (p - (slope - 3.989422917e-01f)) * x);
}

/* Far from 0 it is 0 or x, and at -infinity 0 times infinity, as in NumPy. Near 0, half of x is added;
 * elsewhere products are in two parts each. */
INLINE float gelu_of(float x) {
    float size = size_of(x), rest = rest_of_tail(size), tail = TAIL_AT_4 + rest;
    float tail_low = rest - (tail - TAIL_AT_4);
    Power e = bell_of(x);
    float high = tail * e.high;
    float low = FMA(tail, e.high, -high) + FMA(tail, e.low, tail_low * e.high);
    float product = high * x * 0.5f;
    low = FMA(high, 0.5f * x, -product) + low * (0.5f * x);
    float scaled = TAIL_RATE * size, below = scaled + 1.0f;
    float lost = scaled > 1.0f ? 1.0f - (below - scaled) : scaled - (below - 1.0f);
    lost += FMA(TAIL_RATE, size, -scaled);
    product = quotient(product, low, below, lost) * e.first * e.second;
    float far = x < 0.0f ? product : x - product, beyond = x < 0.0f ? x * 0.0f : x;
    far = size > 20.0f ? beyond : far;
    return size < 0.8f ? FMA(x, near_of(x), 0.5f * x) : far;
}

/* The gelu divided by its argument is the probability, where it has digits enough. */
INLINE float gelu_slope_of(float x, float gelu) {
    float bell = exp_below(-0.5f * x * x);
    float share = size_of(x) < 0.8f ? 0.5f + near_of(x) : gelu / x;
    return FMA(x * 0.39894228040143268f, bell, share);
}

/* Twice the argument of the tanh in the approximate gelu: (1 + tanh(c)) / 2 is the sigmoid of 2c. */
#define GELU_RATE 1.59576912160573071f /* 2 sqrt(2 / pi) */
#define GELU_CUBIC 0.044715f

INLINE float tanh_gelu_of(float x) {
    float twice = GELU_RATE * x * FMA(GELU_CUBIC * x, x, 1.0f);
    return x * (x < -14.0f ? 0.0f : sigmoid_of(twice));
}

INLINE float tanh_gelu_slope_of(float x) {
    float square = GELU_CUBIC * x * x, cubic = GELU_RATE * x * (1.0f + square);
    float inner = GELU_RATE * FMA(3.0f, square, 1.0f);
    float e = exp_below(-size_of(cubic)), larger = 1.0f / (1.0f + e), smaller = e * larger;
    float slope = smaller * larger;
    return (cubic < 0.0f ? smaller : larger) + (slope == 0.0f ? 0.0f : x * inner * slope);
}

INLINE float sigmoid_grad_of(float y, float dy) { return (1.0f - y) * y * dy; }
INLINE float tanh_grad_of(float y, float dy) { return (1.0f - y * y) * dy; }

/* log(1 + f) less f, for f from sqrt(1/2) - 1 to sqrt(2) - 1. */
INLINE float rest_of_log(float f) {
    float p = 6.913567052e-02f;
    p = FMA(p, f, -1.178925046e-01f);
    p = FMA(p, f, 1.187342632e-01f);
    p = FMA(p, f, -1.238446165e-01f);
    p = FMA(p, f, 1.421861720e-01f);
    p = FMA(p, f, -1.666924377e-01f);
    p = FMA(p, f, 2.000222817e-01f);
    p = FMA(p, f, -2.499998673e-01f);
    p = FMA(p, f, 3.333331042e-01f);
    return FMA(p, f, -0.5f) * f * f;
}

/* log(x) plus a small correction: a number is 2^n (1 + f). */
INLINE float corrected_log_of(float x, float correction) {
    const float smallest_normal = 1.17549435e-38f;
    int tiny = x < smallest_normal;
    uint32_t bits = to_bits(tiny ? x * 8388608.0f : x); /* 2^23 */
    uint32_t n = (bits - 0x3f3504f3u) & 0xff800000u;    /* the bits of sqrt(1/2) */
    float exponent = (float)((int32_t)n >> 23) - (tiny ? 23.0f : 0.0f);
    float f = from_bits(bits - n) - 1.0f, rest = rest_of_log(f) + correction;
    float found = f + FMA(exponent, 1.428606765330187e-06f, rest);
    found = FMA(exponent, 0.693145751953125f, found); /* log 2 in two parts */
    found = x > 0.0f ? found : x == 0.0f ? -INFINITY : NAN;
    return x < INFINITY ? found : x;
}

INLINE float log_of(float x) { return corrected_log_of(x, 0.0f); }

/* What 1 + x loses when it is rounded is added: its share of 1 + x is its logarithm there. */
INLINE float log1p_of(float x) {
    float sum = 1.0f + x, low = size_of(x) < 1.0f ? x - (sum - 1.0f) : 1.0f - (sum - x);
    float found = corrected_log_of(sum, low / sum);
    return x == 0.0f ? x : found;
}

INLINE float softplus_of(float x) { return larger(x, 0.0f) + log1p_of(exp_below(-size_of(x))); }

/* NaN stays, as in NumPy: it is in no order with 0. */
INLINE float relu_of(float x) { return x < 0.0f ? 0.0f : x; }
INLINE float relu_grad_of(float dy, float x) { return dy * (x > 0.0f ? 1.0f : 0.0f); }

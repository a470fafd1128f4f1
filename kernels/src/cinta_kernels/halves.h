/* Numbers of two bytes become float32 and back, rounded to the nearest, of two to the even one. NaN
 * stays NaN, and keeps the digits that there is room for. */

#ifdef __F16C__
#include <immintrin.h>
#endif

INLINE float float16_widened(uint16_t half) {
    uint32_t size = (uint32_t)(half & 0x7fffu) << 13, sign = (uint32_t)(half & 0x8000u) << 16;
    uint32_t bits = to_bits(from_bits(size) * 0x1p112f); /* as the exponents begin elsewhere */
    bits = size >= 0x0f800000u ? size | 0x7f800000u : bits;
    return from_bits((size > 0x0f800000u ? bits | 0x400000u : bits) | sign);
}

/* What is added has its last digit where the float16 ends, so the sum is rounded there. No more than
 * 2^-24 are told apart below the smallest normal number, 2^-14. */
INLINE uint16_t float16_narrowed(float x) {
    uint32_t size = to_bits(size_of(x)), sign = to_bits(x) >> 16 & 0x8000u;
    uint32_t exponent = size & 0x7f800000u;
    exponent = exponent < 0x38800000u ? 0x38800000u : exponent;
    float sum = from_bits(size) + from_bits(exponent + 0x06800000u); /* 2^13 times as much */
    uint32_t half = ((exponent - 0x38800000u) >> 13) + (to_bits(sum) & 0x7fffffu);
    half = size >= 0x47800000u ? 0x7c00u : half; /* 2^16 */
    half = size > 0x7f800000u ? 0x7e00u | (size >> 13 & 0x3ffu) : half;
    return (uint16_t)(half | sign);
}

INLINE float bfloat16_widened(uint16_t half) { return from_bits((uint32_t)half << 16); }

INLINE uint16_t bfloat16_narrowed(float x) {
    uint32_t bits = to_bits(x), rounded = bits + 0x7fffu + (bits >> 16 & 1u);
    rounded = (bits & 0x7fffffffu) > 0x7f800000u ? bits | 0x400000u : rounded;
    return (uint16_t)(rounded >> 16);
}

/* Whether a number became infinite only when it was rounded. */
INLINE int is_too_large(float x) {
    uint32_t size = to_bits(size_of(x));
    return (size >= 0x477ff000u) & (size < 0x7f800000u);
}

INLINE void widen_float16(const uint16_t *x, float *out, npy_intp n) {
    npy_intp i = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(x + i))));
#endif
    for (; i < n; i++) out[i] = float16_widened(x[i]);
}

INLINE void narrow_float16(const float *x, uint16_t *out, npy_intp n) {
    npy_intp i = 0;
    int overflow = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((__m128i *)(out + i), _mm256_cvtps_ph(_mm256_loadu_ps(x + i), 0));
#endif
    for (; i < n; i++) overflow |= is_too_large(x[i]), out[i] = float16_narrowed(x[i]);
    if (overflow) feraiseexcept(FE_OVERFLOW); /* as the instructions do */
}

INLINE void widen_bfloat16(const uint16_t *x, float *out, npy_intp n) {
    for (npy_intp i = 0; i < n; i++) out[i] = bfloat16_widened(x[i]);
}

INLINE void narrow_bfloat16(const float *x, uint16_t *out, npy_intp n) {
    for (npy_intp i = 0; i < n; i++) out[i] = bfloat16_narrowed(x[i]);
}

#define HALVES_IN_A_ROW(step) ((step) == (npy_intp)sizeof(uint16_t))

#define CONVERSIONS(dtype)                                                                       \
    void FOR_THIS(from_##dtype)(char **args, const npy_intp *counts, const npy_intp *steps,      \
                                void *none) {                                                    \
        char *x = args[0], *out = args[1];                                                       \
        npy_intp n = counts[0];                                                                  \
        (void)none;                                                                              \
        if (HALVES_IN_A_ROW(steps[0]) && SIDE_BY_SIDE(steps[1]))                                 \
            widen_##dtype((const uint16_t *)x, (float *)out, n);                                 \
        else                                                                                     \
            for (npy_intp i = 0; i < n; i++, x += steps[0], out += steps[1])                     \
                widen_##dtype((const uint16_t *)x, (float *)out, 1);                             \
    }                                                                                            \
    void FOR_THIS(to_##dtype)(char **args, const npy_intp *counts, const npy_intp *steps,        \
                              void *none) {                                                      \
        char *x = args[0], *out = args[1];                                                       \
        npy_intp n = counts[0];                                                                  \
        (void)none;                                                                              \
        if (SIDE_BY_SIDE(steps[0]) && HALVES_IN_A_ROW(steps[1]))                                 \
            narrow_##dtype((const float *)x, (uint16_t *)out, n);                                \
        else                                                                                     \
            for (npy_intp i = 0; i < n; i++, x += steps[0], out += steps[1])                     \
                narrow_##dtype((const float *)x, (uint16_t *)out, 1);                            \
    }

CONVERSIONS(float16)
CONVERSIONS(bfloat16)

/* Vectors of WIDTH float32 numbers, for loops that keep SUMS of them in registers, and some factors
 * beside. All but a product added to a sum is what compilers offer for all processors. */

#if defined(__AVX512F__)
#include <immintrin.h>
#define WIDTH 16
#define SUMS 12
#define VECTOR_FMA(a, b, c) ((Vector)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#define VECTOR_MAX(a, b) ((Vector)_mm512_max_ps((__m512)(a), (__m512)(b)))
#elif defined(__FMA__)
#include <immintrin.h>
#define WIDTH 8
#define SUMS 12
#define VECTOR_FMA(a, b, c) ((Vector)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#define VECTOR_MAX(a, b) ((Vector)_mm256_max_ps((__m256)(a), (__m256)(b)))
#elif defined(__ARM_NEON) && defined(__ARM_FEATURE_FMA)
#include <arm_neon.h>
#define WIDTH 4
#define SUMS 24
#define VECTOR_FMA(a, b, c) \
    ((Vector)vfmaq_f32((float32x4_t)(c), (float32x4_t)(a), (float32x4_t)(b)))
#else
#define WIDTH 4
#define SUMS 12
#define VECTOR_FMA(a, b, c) ((a) * (b) + (c))
#endif

typedef float Vector __attribute__((vector_size(4 * WIDTH)));
typedef int32_t Bits __attribute__((vector_size(4 * WIDTH)));

INLINE Vector loaded(const float *from) {
    Vector all;
    memcpy(&all, from, sizeof all);
    return all;
}

INLINE void stored(Vector all, float *to) { memcpy(to, &all, sizeof all); }
INLINE Vector repeated(float x) { return x - (Vector){0}; }

/* a b + c rounded once on all processors, as FMA is for single numbers. */
INLINE Vector fused(Vector a, Vector b, Vector c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return VECTOR_FMA(a, b, c);
#else
    Vector all;
    for (int k = 0; k < WIDTH; k++) all[k] = FMA(a[k], b[k], c[k]);
    return all;
#endif
}

/* a where it is larger than b, else b: as well where one of both is NaN. */
INLINE Vector larger_vector(Vector a, Vector b) {
#if defined(VECTOR_MAX)
    return VECTOR_MAX(a, b);
#else
    Bits chosen = a > b;
    return (Vector)(((Bits)a & chosen) | ((Bits)b & ~chosen));
#endif
}

/* LANES sums side by side, as vectors. They are added up in an order that is the same for all kinds
 * of processors. */
#define LANES 32
#define LANE_VECTORS (LANES / WIDTH)

/* The lanes of a vector as one number, by halves: each of the upper half meets one of the lower. */
#if WIDTH >= 8
#define FOLDED(name, of_eight, of_four, of_one)                                            \
    INLINE float name(Vector all) {                                                         \
        __m256 parts[WIDTH / 8];                                                            \
        memcpy(parts, &all, sizeof all);                                                    \
        __m256 eight = WIDTH == 16 ? of_eight(parts[WIDTH / 8 - 1], parts[0]) : parts[0];   \
        __m128 four = of_four(_mm256_extractf128_ps(eight, 1), _mm256_castps256_ps128(eight)); \
        __m128 two = of_four(_mm_movehl_ps(four, four), four);                              \
        return _mm_cvtss_f32(of_one(_mm_movehdup_ps(two), two));                            \
    }
FOLDED(sum_of_lanes, _mm256_add_ps, _mm_add_ps, _mm_add_ss)
FOLDED(largest_lane, _mm256_max_ps, _mm_max_ps, _mm_max_ss)
#else
#define FOLDED(name, both)                                                \
    INLINE float name(Vector all) {                                        \
        float lanes[WIDTH];                                                \
        stored(all, lanes);                                                \
        for (int half = WIDTH / 2; half > 0; half /= 2)                    \
            for (int k = 0; k < half; k++) lanes[k] = both(lanes[k + half], lanes[k]); \
        return lanes[0];                                                   \
    }
INLINE float sum(float a, float b) { return a + b; }
FOLDED(sum_of_lanes, sum)
FOLDED(largest_lane, larger)
#endif

INLINE float total_of(const Vector *parts, int vectors) {
    Vector sums[LANE_VECTORS];
    for (int v = 0; v < vectors; v++) sums[v] = parts[v];
    for (int half = vectors / 2; half > 0; half /= 2)
        for (int v = 0; v < half; v++) sums[v] += sums[v + half];
    return sum_of_lanes(sums[0]);
}

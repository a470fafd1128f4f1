/* Vectors of WIDTH float32 numbers, for loops that keep SUMS of them in registers, and some factors
 * beside. All but a product added to a sum is what compilers offer for all processors. */

#if defined(__AVX512F__)
#include <immintrin.h>
#define WIDTH 16
#define SUMS 12
#define VECTOR_FMA(a, b, c) ((Vector)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#elif defined(__FMA__)
#include <immintrin.h>
#define WIDTH 8
#define SUMS 12
#define VECTOR_FMA(a, b, c) ((Vector)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
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

INLINE Vector larger_vector(Vector a, Vector b) {
    Bits chosen = a > b;
    return (Vector)(((Bits)a & chosen) | ((Bits)b & ~chosen));
}

/* LANES sums side by side, as vectors. They are added up in an order that is the same for all kinds
 * of processors. */
#define LANES 32
#define LANE_VECTORS (LANES / WIDTH)

INLINE float total_of(const Vector *parts, int vectors) {
    Vector sums[LANE_VECTORS];
    float lanes[WIDTH];
    for (int v = 0; v < vectors; v++) sums[v] = parts[v];
    for (int half = vectors / 2; half > 0; half /= 2)
        for (int v = 0; v < half; v++) sums[v] += sums[v + half];
    stored(sums[0], lanes);
    for (int half = WIDTH / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++) lanes[k] += lanes[k + half];
    return lanes[0];
}

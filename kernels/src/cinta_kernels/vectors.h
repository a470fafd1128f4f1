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

INLINE Vector loaded(const float *from) {
    Vector all;
    memcpy(&all, from, sizeof all);
    return all;
}

INLINE void stored(Vector all, float *to) { memcpy(to, &all, sizeof all); }
INLINE Vector repeated(float x) { return x - (Vector){0}; }

/* LANES sums side by side, as vectors. They are added up in an order that is the same for all kinds
 * of processors. */
#define LANES 32
#define LANE_VECTORS (LANES / WIDTH)

INLINE float total_of(const Vector *parts, int vectors) {
    float lanes[LANES];
    for (int v = 0; v < vectors; v++) stored(parts[v], lanes + v * WIDTH);
    for (int width = vectors * WIDTH / 2; width > 0; width /= 2)
        for (int k = 0; k < width; k++) lanes[k] += lanes[k + width];
    return lanes[0];
}

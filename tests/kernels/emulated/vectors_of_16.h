/* Lets the source for AVX-512 be compiled for processors with AVX2: compilers make two vectors of
 * one, and what is chosen by the names of instructions is written out. */

#include <immintrin.h>

#define __AVX512F__ 1
#define _mm512_fmadd_ps(a, b, c) products_added((Sixteen)(a), (Sixteen)(b), (Sixteen)(c))
#define _mm512_max_ps(a, b) larger_ones((Sixteen)(a), (Sixteen)(b))

typedef float Sixteen __attribute__((vector_size(64)));

static inline __attribute__((always_inline)) Sixteen products_added(Sixteen a, Sixteen b,
                                                                    Sixteen c) {
    for (int i = 0; i < 16; i++) c[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return c;
}

static inline __attribute__((always_inline)) Sixteen larger_ones(Sixteen a, Sixteen b) {
    for (int i = 0; i < 16; i++) b[i] = a[i] > b[i] ? a[i] : b[i];
    return b;
}

/* Calls loops with cases from the standard input, and writes their results to the standard output.
 * A case is the number of a loop, how many arrays, counts and steps there are, counts and steps, and
 * for each array its size in bytes, whether it is a result, and what is in it unless it is. */

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>

#include <numpy/ndarraytypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef void Loop(char **, const npy_intp *, const npy_intp *, void *);
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#define X(name, inputs, results, signature, types) Loop JOIN(name, KIND);
#include "loops.def"
#undef X
static Loop *const loops[] = {
#define X(name, inputs, results, signature, types) JOIN(name, KIND),
#include "loops.def"
#undef X
};

/* What loops call of Python when they refuse something. */
PyObject *PyExc_ValueError;
PyGILState_STATE PyGILState_Ensure(void) { return PyGILState_LOCKED; }
void PyGILState_Release(PyGILState_STATE state) { (void)state; }
PyObject *PyErr_NoMemory(void) { abort(); }
void PyErr_SetString(PyObject *kind, const char *text) {
    (void)kind;
    fputs(text, stderr);
    abort();
}

static void get(void *to, size_t size) {
    if (fread(to, 1, size, stdin) != size) abort();
}

int main(void) {
    npy_intp head[4];
    while (fread(head, sizeof *head, 4, stdin) == 4) {
        npy_intp counts[16], steps[64], facts[2], sizes[16], made[16];
        char *arrays[16], *given[16];
        get(counts, head[2] * sizeof *counts);
        get(steps, head[3] * sizeof *steps);
        for (npy_intp i = 0; i < head[1]; i++) {
            get(facts, sizeof facts);
            sizes[i] = facts[0], made[i] = facts[1];
            given[i] = arrays[i] = malloc((size_t)sizes[i] + 1);
            if (!made[i]) get(arrays[i], (size_t)sizes[i]);
        }
        loops[head[0]](given, counts, steps, NULL);
        for (npy_intp i = 0; i < head[1]; i++) {
            if (made[i]) fwrite(arrays[i], 1, (size_t)sizes[i], stdout);
            free(arrays[i]);
        }
    }
    return 0;
}

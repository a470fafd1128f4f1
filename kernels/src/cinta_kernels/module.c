/* The module: one ufunc or gufunc of float32 for each line of loops.def, with the loop that was
 * compiled for this kind of processor. */

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <numpy/arrayobject.h>
#include <numpy/ufuncobject.h>
#include <stdlib.h>
#include <string.h>

typedef void Loop(char **, const npy_intp *, const npy_intp *, void *);

#define X(name, inputs, results, signature, types) Loop name##_base;
#include "loops.def"
#undef X
#ifdef WITH_X86_KINDS
#define X(name, inputs, results, signature, types) Loop name##_avx2, name##_avx512;
#include "loops.def"
#undef X
#define KINDS(name) {name##_base, name##_avx2, name##_avx512}
#else
#define KINDS(name) {name##_base, NULL, NULL}
#endif

enum { BASE, AVX2, AVX512 };
static const char *const KIND_NAMES[] = {"base", "avx2", "avx512"};

#define MOST_ARGUMENTS 10
typedef const char Types[MOST_ARGUMENTS];
static Types FLOATS = {NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT,
                       NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT};
static Types SECOND_IS_PLACE = {NPY_FLOAT, NPY_INTP,  NPY_FLOAT, NPY_FLOAT, NPY_FLOAT,
                                NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT};

static struct {
    const char *name;
    int inputs, results;
    const char *signature, *types;
    Loop *kinds[3];
    PyUFuncGenericFunction chosen[1];
} functions[] = {
#define X(name, inputs, results, signature, types) \
    {#name, inputs, results, signature, types, KINDS(name), {NULL}},
#include "loops.def"
#undef X
};

static void *const no_data[] = {NULL};

static int best_kind(void) {
#ifdef WITH_X86_KINDS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return AVX2;
#endif
    return BASE;
}

/* The kind that CINTA_KERNELS names, if this processor has it; else the best. */
static int chosen_kind(void) {
    int best = best_kind();
    const char *wanted = getenv("CINTA_KERNELS");
    for (int kind = BASE; wanted != NULL && kind <= best; kind++)
        if (strcmp(wanted, KIND_NAMES[kind]) == 0) return kind;
    return best;
}

static int add_functions(PyObject *module, int kind) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        functions[i].chosen[0] = (PyUFuncGenericFunction)functions[i].kinds[kind];
        PyObject *function = PyUFunc_FromFuncAndDataAndSignature(
            functions[i].chosen, (void *const *)no_data, functions[i].types, 1,
            functions[i].inputs, functions[i].results, PyUFunc_None, functions[i].name, "", 0, functions[i].signature);
        int failed = PyModule_AddObjectRef(module, functions[i].name, function) < 0;
        Py_XDECREF(function);
        if (failed) return -1;
    }
    return 0;
}

static int fill(PyObject *module) {
    int kind = chosen_kind();
    if (PyModule_AddStringConstant(module, "processor", KIND_NAMES[kind]) < 0) return -1;
    return add_functions(module, kind);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, fill},
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "cinta_kernels._kernels",
    .m_doc = "Functions of float32 arrays, compiled for this kind of processor.",
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__kernels(void) {
    import_array();
    import_ufunc();
    return PyModuleDef_Init(&definition);
}

/* The module: one ufunc or gufunc of float32 for each line of loops.def, with the loop that was
 * compiled for this kind of processor. Ufuncs have loops of float16 and bfloat16 beside, which go by
 * that of float32. */

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <numpy/ufuncobject.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_X86_KINDS
#include <cpuid.h>
#endif

typedef void Loop(char **, const npy_intp *, const npy_intp *, void *);
#include "by_floats.h"

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

#define MOST_ARGUMENTS 12
typedef const char Types[MOST_ARGUMENTS];
static Types BYTES = {NPY_UBYTE, NPY_UBYTE, NPY_UBYTE, NPY_UBYTE};
static Types FROM_FLOAT16 = {NPY_HALF, NPY_FLOAT}, TO_FLOAT16 = {NPY_FLOAT, NPY_HALF};
static Types FROM_BFLOAT16 = {NPY_USHORT, NPY_FLOAT}, TO_BFLOAT16 = {NPY_FLOAT, NPY_USHORT};
static Types FLOATS = {NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT,
                       NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT};
static Types SECOND_IS_PLACE = {NPY_FLOAT, NPY_INTP,  NPY_FLOAT, NPY_FLOAT, NPY_FLOAT,
                                NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT};
static Types FOURTH_ARE_SIZES = {NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_INTP,  NPY_FLOAT,
                                 NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT};
static Types WITH_MASK = {NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_BOOL,  NPY_BOOL,  NPY_FLOAT,
                          NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT, NPY_FLOAT};
static Types WITH_TABLES = {NPY_FLOAT, NPY_INTP, NPY_FLOAT, NPY_INTP, NPY_FLOAT, NPY_FLOAT};
static Types BYTES_WITH_TABLES = {NPY_UBYTE, NPY_INTP, NPY_FLOAT, NPY_INTP, NPY_FLOAT, NPY_FLOAT};

static struct {
    const char *name;
    int inputs, results;
    const char *signature, *types;
    Loop *kinds[3];
    /* of float32, and of float16 for ufuncs of float32 */
    PyUFuncGenericFunction chosen[2];
    void *data[2];
    char both_types[2 * MOST_BY_FLOATS];
    ByFloats float16, bfloat16;
} functions[] = {
#define X(name, inputs, results, signature, types) \
    {#name, inputs, results, signature, types, KINDS(name)},
#include "loops.def"
#undef X
};

/* The best kind that the processor has instructions for, and the system keeps registers for. */
static int best_kind(void) {
#ifdef WITH_X86_KINDS
    const unsigned common = bit_OSXSAVE | bit_FMA | bit_F16C;
    const unsigned wide = bit_AVX512F | bit_AVX512VL | bit_AVX512DQ | bit_AVX512BW;
    unsigned a, b, c, d, kept, rest;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & common) != common) return BASE;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2)) return BASE;
    __asm__("xgetbv" : "=a"(kept), "=d"(rest) : "c"(0));
    if ((kept & 0x06) != 0x06) return BASE;
    return (b & wide) == wide && (kept & 0xe6) == 0xe6 ? AVX512 : AVX2;
#else
    return BASE;
#endif
}

/* The kind that CINTA_KERNELS names, if this processor has it; else the best. */
static int chosen_kind(void) {
    int best = best_kind();
    const char *wanted = getenv("CINTA_KERNELS");
    for (int kind = BASE; wanted != NULL && kind <= best; kind++)
        if (strcmp(wanted, KIND_NAMES[kind]) == 0) return kind;
    return best;
}

#define FUNCTIONS (sizeof functions / sizeof *functions)

/* The loop of this name for the processor. */
static Loop *loop_called(const char *name) {
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0) return (Loop *)functions[i].chosen[0];
    return NULL;
}

#include "in_numpy.h"
#include "memory.h"
#include "chains.h"

static int is_ufunc_of_floats(size_t i) {
    return functions[i].signature == NULL && functions[i].types == FLOATS;
}

static ByFloats by_loop(size_t i, const char *from, const char *to) {
    int inputs = functions[i].inputs, arguments = inputs + functions[i].results;
    return (ByFloats){(Loop *)functions[i].chosen[0], NULL, loop_called(from), loop_called(to),
                      NULL, NULL, inputs, arguments, 1};
}

/* Ufuncs of float32 are of float16 too. */
static PyObject *ufunc_of(size_t i) {
    int arguments = functions[i].inputs + functions[i].results, several = is_ufunc_of_floats(i);
    for (int k = 0; several && k < arguments; k++) {
        functions[i].both_types[k] = NPY_FLOAT;
        functions[i].both_types[arguments + k] = NPY_HALF;
    }
    functions[i].chosen[1] = (PyUFuncGenericFunction)through_floats;
    functions[i].data[1] = &functions[i].float16;
    functions[i].float16 = by_loop(i, "from_float16", "to_float16");
    functions[i].bfloat16 = by_loop(i, "from_bfloat16", "to_bfloat16");
    return PyUFunc_FromFuncAndDataAndSignature(
        functions[i].chosen, functions[i].data,
        several ? functions[i].both_types : functions[i].types, 1 + several, functions[i].inputs,
        functions[i].results, PyUFunc_None, functions[i].name, "", 0, functions[i].signature);
}

static int add_functions(PyObject *module, int kind) {
    for (size_t i = 0; i < FUNCTIONS; i++)
        functions[i].chosen[0] = (PyUFuncGenericFunction)functions[i].kinds[kind];
    for (size_t i = 0; i < FUNCTIONS; i++) {
        PyObject *function = ufunc_of(i);
        int failed = PyModule_AddObjectRef(module, functions[i].name, function) < 0;
        Py_XDECREF(function);
        if (failed) return -1;
    }
    return 0;
}

static int add_loops(PyObject *module, int dtype) {
    int types[MOST_BY_FLOATS] = {dtype, dtype, dtype};
    for (size_t i = 0; i < FUNCTIONS; i++) {
        if (!is_ufunc_of_floats(i)) continue;
        PyUFuncObject *ufunc =
            (PyUFuncObject *)PyObject_GetAttrString(module, functions[i].name);
        int failed = ufunc == NULL ||
                     PyUFunc_RegisterLoopForType(ufunc, dtype,
                                                 (PyUFuncGenericFunction)through_floats, types,
                                                 &functions[i].bfloat16) < 0;
        Py_XDECREF(ufunc);
        if (failed) return -1;
    }
    return 0;
}

/* float16 is NumPy's, and bfloat16 a dtype beside, with a number that is not known before. */
static PyObject *quicken(PyObject *module, PyObject *dtype) {
    static int done[2];
    if (!PyArray_DescrCheck(dtype) || PyDataType_ELSIZE((PyArray_Descr *)dtype) != 2) {
        PyErr_SetString(PyExc_TypeError, "quicken() takes the dtype of float16 or bfloat16");
        return NULL;
    }
    int number = ((PyArray_Descr *)dtype)->type_num, is_numpys = number == NPY_HALF;
    if (done[is_numpys]++) Py_RETURN_NONE;
    if (!is_numpys && add_loops(module, number) < 0) return NULL;
    if (quicken_numpy(number) < 0) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"quicken", quicken, METH_O,
     "quicken(dtype)\n--\n\nLet NumPy's functions of float16 or bfloat16 go by its loops of float32, "
     "and let those\nof this module take the dtype. Results stay what they were."},
    {"line_up", line_up, METH_NOARGS,
     "line_up()\n--\n\nLet the memory of NumPy's arrays begin at lines of the processor's caches, from "
     "now on and\nin this context; return whether it does by this call. Another handler of memory than "
     "NumPy's\nown is left alone."},
    {"sum_of_few", sum_of_few, METH_O,
     "sum_of_few(x)\n--\n\nThe sum of up to seven numbers of float32, as NumPy adds them."},
    {NULL, NULL, 0, NULL},
};

static int fill(PyObject *module) {
    int kind = chosen_kind();
    if (PyModule_AddStringConstant(module, "processor", KIND_NAMES[kind]) < 0) return -1;
    if (PyModule_AddType(module, &ChainType) < 0) return -1;
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
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__kernels(void) {
    import_array();
    import_ufunc();
    return PyModuleDef_Init(&definition);
}

/* NumPy's functions of numbers of two bytes, by its own loops of float32. They give what they gave:
 * NumPy and ml_dtypes compute in float32 too, but number by number. */

#define IN_NUMPY(X)                                                                               \
    X(add) X(subtract) X(multiply) X(divide) X(square) X(sqrt) X(reciprocal) X(maximum)           \
    X(minimum) X(equal) X(not_equal) X(less) X(less_equal) X(greater) X(greater_equal) X(isnan)   \
    X(isinf) X(isfinite) X(rint) X(floor) X(ceil) X(trunc)

/* NumPy gives its loops of float16 no data. */
#define X(name)                                                                                  \
    static ByFloats name##_by_floats;                                                            \
    static void name##_of_float16(char **args, const npy_intp *counts, const npy_intp *steps,    \
                                  void *none) {                                                  \
        (void)none;                                                                              \
        through_floats(args, counts, steps, &name##_by_floats);                                  \
    }
IN_NUMPY(X)
#undef X

static struct {
    const char *name;
    Loop *loop;
    ByFloats *float16, bfloat16;
} in_numpy[] = {
#define X(name) {#name, name##_of_float16, &name##_by_floats, {NULL}},
    IN_NUMPY(X)
#undef X
};

/* The place of the loop of a ufunc whose inputs are all of one dtype, and its results too unless they
 * are truths; -1 if there is none. */
static int place_of_loop(const PyUFuncObject *ufunc, char dtype) {
    for (int k = 0; k < ufunc->ntypes; k++) {
        const char *types = ufunc->types + k * ufunc->nargs;
        int fits = 1;
        for (int i = 0; i < ufunc->nargs; i++)
            fits &= types[i] == dtype || (i >= ufunc->nin && types[i] == NPY_BOOL);
        if (fits) return k;
    }
    return -1;
}

static int has_truths(const PyUFuncObject *ufunc, int place) {
    return ufunc->types[place * ufunc->nargs + ufunc->nin] == NPY_BOOL;
}

static ByFloats by_floats_of(const PyUFuncObject *ufunc, int place) {
    ByFloats by = {(Loop *)ufunc->functions[place], ufunc->data[place]};
    by.inputs = ufunc->nin, by.arguments = ufunc->nargs;
    by.short_results = !has_truths(ufunc, place);
    return by;
}

static void quicken_float16(PyUFuncObject *ufunc, ByFloats *by, Loop *loop) {
    int place = place_of_loop(ufunc, NPY_HALF), types[MOST_BY_FLOATS];
    if (place < 0) return;
    for (int i = 0; i < ufunc->nargs; i++) types[i] = ufunc->types[place * ufunc->nargs + i];
    by->from = loop_called("from_float16"), by->to = loop_called("to_float16");
    by->own_data = ufunc->data[place];
    PyUFunc_ReplaceLoopBySignature(ufunc, (PyUFuncGenericFunction)loop, types,
                                   (PyUFuncGenericFunction *)&by->own);
}

/* The loop of a ufunc for a dtype that is not NumPy's, all of whose inputs are of it. */
static PyUFunc_Loop1d *loop_of_user(const PyUFuncObject *ufunc, int dtype, int truths) {
    PyObject *key = PyLong_FromLong(dtype), *found = NULL;
    if (key != NULL && ufunc->userloops != NULL)
        found = PyDict_GetItemWithError(ufunc->userloops, key);
    Py_XDECREF(key);
    PyUFunc_Loop1d *each = found == NULL ? NULL : PyCapsule_GetPointer(found, NULL);
    for (; each != NULL; each = each->next) {
        int fits = 1;
        for (int i = 0; i < ufunc->nargs; i++)
            fits &= each->arg_types[i] == (i >= ufunc->nin && truths ? NPY_BOOL : dtype);
        if (fits) return each;
    }
    return NULL;
}

static void quicken_bfloat16(const PyUFuncObject *ufunc, ByFloats *by, int dtype) {
    PyUFunc_Loop1d *user = loop_of_user(ufunc, dtype, !by->short_results);
    if (user == NULL) return;
    by->from = loop_called("from_bfloat16"), by->to = loop_called("to_bfloat16");
    by->own = (Loop *)user->func, by->own_data = user->data;
    user->func = (PyUFuncGenericFunction)through_floats, user->data = by;
}

/* Let NumPy's functions of a dtype, float16 or bfloat16, go by its loops of float32. */
static int quicken_numpy(int dtype) {
    PyObject *numpy = PyImport_ImportModule("numpy");
    for (size_t i = 0; numpy != NULL && i < sizeof in_numpy / sizeof *in_numpy; i++) {
        PyUFuncObject *ufunc = (PyUFuncObject *)PyObject_GetAttrString(numpy, in_numpy[i].name);
        int place = ufunc == NULL ? -1 : place_of_loop(ufunc, NPY_FLOAT);
        ByFloats *by = dtype == NPY_HALF ? in_numpy[i].float16 : &in_numpy[i].bfloat16;
        if (place >= 0) {
            *by = by_floats_of(ufunc, place);
            if (dtype == NPY_HALF)
                quicken_float16(ufunc, by, in_numpy[i].loop);
            else
                quicken_bfloat16(ufunc, by, dtype);
        }
        Py_XDECREF(ufunc);
        if (PyErr_Occurred()) break;
    }
    Py_XDECREF(numpy);
    return PyErr_Occurred() ? -1 : 0;
}

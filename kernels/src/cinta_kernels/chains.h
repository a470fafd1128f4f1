/* Chains of ufuncs of float32: one block of numbers goes through all of them before the next, so that
 * what goes from one to another stays in the nearest cache. The loops are those of the ufuncs. */

#include <fenv.h>
#include <structmember.h>

#define BLOCK_NUMBERS 1024
#define MOST_VALUES 512 /* inputs, constants, results and scratch memory of a chain */
#define MOST_SCRATCH 8  /* blocks of numbers that are not returned */
#define MOST_TAKEN 3    /* inputs of a ufunc */

/* Whether an input has a number for each element, for each row, for each column, or one. */
enum { FULL, OF_ROWS, OF_COLUMNS, SINGLE };

typedef struct {
    PyUFuncGenericFunction loop;
    void *data;
    int inputs, values[MOST_TAKEN + 1], is_last; /* of those that all blocks go through together */
} Link;

typedef struct {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *ufuncs;
    Link *links;
    int count, inputs, results, scratch, constants, like, axes;
    unsigned char kinds[MOST_VALUES];
    float numbers[MOST_VALUES];
    npy_intp shape[NPY_MAXDIMS], columns; /* 0 where all numbers are one row */
} Chain;

/* Where values are, how far apart those of two rows and of two blocks, and the numbers of a block. */
typedef struct {
    npy_intp rows, columns;
    char *at[MOST_VALUES];
    npy_intp down[MOST_VALUES], across[MOST_VALUES], step[MOST_VALUES];
} Places;

static void run_links(const Link *link, const Link *end, const Places *places, npy_intp row,
                      npy_intp column, npy_intp count) {
    for (; link < end; link++) {
        char *args[MOST_TAKEN + 1];
        npy_intp steps[MOST_TAKEN + 1];
        for (int i = 0; i <= link->inputs; i++) {
            int value = link->values[i];
            args[i] = places->at[value] + row * places->down[value] + column * places->across[value];
            steps[i] = places->step[value];
        }
        link->loop(args, &count, steps, link->data);
    }
}

static void run_chain(const Chain *chain, Places *places) {
    float memory[MOST_SCRATCH * BLOCK_NUMBERS] __attribute__((aligned(64)));
    int first = chain->inputs + chain->constants + chain->results;
    for (int i = 0; i < chain->scratch; i++) {
        places->at[first + i] = (char *)(memory + i * BLOCK_NUMBERS);
        places->down[first + i] = places->across[first + i] = 0;
        places->step[first + i] = sizeof(float);
    }
    for (const Link *link = chain->links, *end; link < chain->links + chain->count; link = end) {
        for (end = link + 1; !end[-1].is_last;) end++;
        for (npy_intp row = 0; row < places->rows; row++)
            for (npy_intp column = 0; column < places->columns; column += BLOCK_NUMBERS) {
                npy_intp rest = places->columns - column;
                run_links(link, end, places, row, column, rest < BLOCK_NUMBERS ? rest : BLOCK_NUMBERS);
            }
    }
    if (fetestexcept(FE_ALL_EXCEPT)) feclearexcept(FE_ALL_EXCEPT); /* see say_nothing() */
}

/* The numbers of an input, of which there must be so many; NULL if it is not as expected. */
static char *numbers_of(PyObject *given, npy_intp size) {
    if (size == 1 && PyArray_IsScalar(given, Float))
        return (char *)&PyArrayScalar_VAL(given, Float);
    if (!PyArray_CheckExact(given)) return NULL;
    PyArrayObject *array = (PyArrayObject *)given;
    int fits = PyArray_TYPE(array) == NPY_FLOAT && PyArray_ISCARRAY_RO(array);
    return fits && PyArray_SIZE(array) == size ? PyArray_BYTES(array) : NULL;
}

static void set_place(Places *places, int value, char *at, int kind) {
    npy_intp number = sizeof(float);
    places->at[value] = at;
    places->down[value] = kind == FULL ? places->columns * number : kind == OF_ROWS ? number : 0;
    places->across[value] = kind == FULL || kind == OF_COLUMNS ? number : 0;
    places->step[value] = places->across[value];
}

/* Take the numbers of rows and columns from the input that is like the results: some rows of these, if
 * it is a part. 0 if it is not as expected. */
static int set_extent(const Chain *chain, PyObject *like, int is_part, Places *places) {
    if (!PyArray_CheckExact(like)) return 0;
    PyArrayObject *array = (PyArrayObject *)like;
    npy_intp size = PyArray_SIZE(array);
    places->columns = chain->columns > 0 ? chain->columns : size;
    places->rows = size > 0 ? size / places->columns : 0;
    return is_part ? places->rows * places->columns == size
                   : PyArray_NDIM(array) == chain->axes &&
                         PyArray_CompareLists(PyArray_DIMS(array), chain->shape, chain->axes);
}

/* Find the places of inputs and constants; 0 if an input is not as expected. */
static int found_places(const Chain *chain, PyObject *const *given, Places *places) {
    npy_intp sizes[] = {places->rows * places->columns, places->rows, places->columns, 1};
    for (int i = 0; i < chain->inputs; i++) {
        char *at = numbers_of(given[i], sizes[chain->kinds[i]]);
        if (at == NULL) return 0;
        set_place(places, i, at, chain->kinds[i]);
    }
    for (int i = 0; i < chain->constants; i++)
        set_place(places, chain->inputs + i, (char *)(chain->numbers + i), SINGLE);
    return 1;
}

/* Set the places of the results; 0 if an array is not as expected. */
static int result_places(const Chain *chain, PyObject *const *results, Places *places) {
    for (int i = 0; i < chain->results; i++) {
        char *at = numbers_of(results[i], places->rows * places->columns);
        if (at == NULL || !PyArray_Check(results[i]) ||
            !PyArray_ISWRITEABLE((PyArrayObject *)results[i]))
            return 0;
        set_place(places, chain->inputs + chain->constants + i, at, FULL);
    }
    return 1;
}

static void run_without_lock(const Chain *chain, Places *places) {
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(places->rows * places->columns);
    run_chain(chain, places);
    NPY_END_THREADS;
}

static PyObject *new_results(const Chain *chain) {
    PyObject *made = PyTuple_New(chain->results);
    for (int i = 0; i < chain->results && made != NULL; i++) {
        PyObject *one = PyArray_SimpleNew(chain->axes, (npy_intp *)chain->shape, NPY_FLOAT);
        if (one == NULL)
            Py_CLEAR(made);
        else
            PyTuple_SET_ITEM(made, i, one);
    }
    return made;
}

static PyObject *call_chain(PyObject *self, PyObject *const *given, size_t flags, PyObject *names) {
    Chain *chain = (Chain *)self;
    Places places;
    if (names != NULL || PyVectorcall_NARGS(flags) != chain->inputs)
        return PyErr_Format(PyExc_TypeError, "a chain takes %d arrays", chain->inputs);
    if (!set_extent(chain, given[chain->like], 0, &places) || !found_places(chain, given, &places))
        Py_RETURN_NONE;
    PyObject *made = new_results(chain);
    if (made == NULL) return NULL;
    result_places(chain, PySequence_Fast_ITEMS(made), &places);
    run_without_lock(chain, &places);
    return made;
}

static PyObject *fill_results(PyObject *self, PyObject *const *given, Py_ssize_t count) {
    Chain *chain = (Chain *)self;
    Places places;
    if (count != chain->inputs + chain->results)
        return PyErr_Format(PyExc_TypeError, "fill() takes %d arrays and %d results", chain->inputs,
                            chain->results);
    if (!set_extent(chain, given[chain->like], 1, &places) ||
        !found_places(chain, given, &places) ||
        !result_places(chain, given + chain->inputs, &places)) {
        PyErr_SetString(PyExc_ValueError, "fill() takes rows in row-major order, of one length");
        return NULL;
    }
    run_without_lock(chain, &places);
    Py_RETURN_NONE;
}

static PyMethodDef chain_methods[] = {
    {"fill", (PyCFunction)(void (*)(void))fill_results, METH_FASTCALL,
     "fill(*arrays)\n--\n\nWrite into results, which are given after the inputs: of as many rows as "
     "the inputs have."},
    {NULL, NULL, 0, NULL},
};

/* -- making one ------------------------------------------------------------------------------- */

static int set_link(Chain *chain, Link *link, PyObject *step, int values) {
    PyObject *ufunc, *numbers;
    if (!PyArg_ParseTuple(step, "O!O!p", &PyUFunc_Type, &ufunc, &PyTuple_Type, &numbers,
                          &link->is_last))
        return -1;
    PyUFuncObject *function = (PyUFuncObject *)ufunc;
    int place = function->core_enabled ? -1 : place_of_loop(function, NPY_FLOAT);
    link->inputs = function->nin;
    int fits = place >= 0 && !has_truths(function, place) && function->nout == 1;
    if (!fits || link->inputs > MOST_TAKEN || PyTuple_GET_SIZE(numbers) != function->nargs) {
        PyErr_SetString(PyExc_ValueError, "a chain needs ufuncs of float32 with one result");
        return -1;
    }
    link->loop = function->functions[place], link->data = function->data[place];
    for (int i = 0; i < function->nargs; i++) {
        long value = PyLong_AsLong(PyTuple_GET_ITEM(numbers, i));
        int is_written = i == link->inputs;
        if (value < (is_written ? chain->inputs + chain->constants : 0) || value >= values) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a chain has no such value");
            return -1;
        }
        link->values[i] = (int)value;
    }
    return PyList_Append(chain->ufuncs, ufunc);
}

static int set_links(Chain *chain, PyObject *steps) {
    int values = chain->inputs + chain->constants + chain->results + chain->scratch;
    chain->count = (int)PyTuple_GET_SIZE(steps);
    chain->links = PyMem_Calloc(chain->count, sizeof(Link));
    chain->ufuncs = PyList_New(0);
    if (chain->links == NULL || chain->ufuncs == NULL) return -1;
    for (int i = 0; i < chain->count; i++)
        if (set_link(chain, chain->links + i, PyTuple_GET_ITEM(steps, i), values) < 0) return -1;
    chain->links[chain->count - 1].is_last = 1;
    return 0;
}

static int set_shape(Chain *chain, PyObject *shape, npy_intp columns) {
    npy_intp size = 1;
    chain->axes = (int)PyTuple_GET_SIZE(shape), chain->columns = columns;
    for (int i = 0; i < chain->axes; i++) {
        chain->shape[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, i));
        size *= chain->shape[i];
    }
    if (PyErr_Occurred()) return -1;
    if (columns == 0 || (columns > 0 && size % columns == 0)) return 0;
    PyErr_SetString(PyExc_ValueError, "the elements of a chain are not so many rows");
    return -1;
}

static int set_inputs(Chain *chain, const char *kinds, PyObject *numbers) {
    for (int i = 0; i < chain->inputs; i++) chain->kinds[i] = (unsigned char)kinds[i] & SINGLE;
    for (int i = 0; i < chain->constants; i++)
        chain->numbers[i] = (float)PyFloat_AsDouble(PyTuple_GET_ITEM(numbers, i));
    if (chain->like < 0 || chain->like >= chain->inputs || chain->kinds[chain->like] != FULL)
        PyErr_SetString(PyExc_ValueError, "an input of a chain must have its shape");
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *new_chain(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *steps, *numbers, *shape;
    const char *kinds;
    Py_ssize_t inputs, columns;
    int like, results, scratch;
    if (names != NULL && PyDict_GET_SIZE(names))
        return PyErr_Format(PyExc_TypeError, "a chain has no arguments by name");
    if (!PyArg_ParseTuple(args, "O!y#O!iiiO!n", &PyTuple_Type, &steps, &kinds, &inputs,
                          &PyTuple_Type, &numbers, &like, &results, &scratch, &PyTuple_Type, &shape,
                          &columns))
        return NULL;
    Py_ssize_t constants = PyTuple_GET_SIZE(numbers), most = MOST_VALUES;
    if (PyTuple_GET_SIZE(steps) < 1 || results < 1 || results > most || scratch < 0 ||
        scratch > MOST_SCRATCH || inputs > most || constants > most ||
        inputs + constants + results + scratch > most || PyTuple_GET_SIZE(shape) > NPY_MAXDIMS)
        return PyErr_Format(PyExc_ValueError, "a chain has no steps or results, or too many values");
    Chain *chain = (Chain *)type->tp_alloc(type, 0);
    if (chain == NULL) return NULL;
    chain->call = call_chain, chain->inputs = (int)inputs, chain->constants = (int)constants;
    chain->like = like, chain->results = results, chain->scratch = scratch;
    if (set_shape(chain, shape, columns) < 0 || set_inputs(chain, kinds, numbers) < 0 ||
        set_links(chain, steps) < 0)
        Py_CLEAR(chain);
    return (PyObject *)chain;
}

static void free_chain(PyObject *self) {
    Chain *chain = (Chain *)self;
    Py_XDECREF(chain->ufuncs);
    PyMem_Free(chain->links);
    Py_TYPE(self)->tp_free(self);
}

static PyTypeObject ChainType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "cinta_kernels.Chain",
    .tp_basicsize = sizeof(Chain),
    .tp_dealloc = free_chain,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Chain, call),
    .tp_call = PyVectorcall_Call,
    .tp_doc = "Chain(steps, kinds, constants, like, results, scratch, shape, columns)\n--\n\n"
              "Ufuncs of float32 one after the other, block by block, as a function of arrays that "
              "gives a\ntuple of arrays. A step is a ufunc, the numbers of its inputs and its result, "
              "and whether all\nblocks go through it before the steps after it: inputs come first, "
              "then constants, results and\nscratch memory. Kinds of inputs are 0 for a number for "
              "each element, 1 for each row of so many\ncolumns, 2 for each column, 3 for one; one "
              "input is like the results. Where an array is not\nas expected, a call gives None.",
    .tp_methods = chain_methods,
    .tp_new = new_chain,
};

/* The sum of fewer than eight numbers as NumPy's scalar. NumPy adds them one by one, and more of them in
 * another order. */
static PyObject *sum_of_few(PyObject *module, PyObject *given) {
    PyArrayObject *x = (PyArrayObject *)given;
    (void)module;
    if (!PyArray_CheckExact(given) || PyArray_TYPE(x) != NPY_FLOAT || !PyArray_ISBEHAVED_RO(x) ||
        PyArray_NDIM(x) != 1 || PyArray_DIM(x, 0) > 7)
        return PyErr_Format(PyExc_ValueError, "sum_of_few() takes up to seven numbers of float32");
    const char *at = PyArray_BYTES(x);
    float total = 0.0f;
    for (npy_intp i = 0; i < PyArray_DIM(x, 0); i++)
        total += *(const float *)(at + i * PyArray_STRIDE(x, 0));
    PyObject *sum = PyArrayScalar_New(Float);
    if (sum != NULL) PyArrayScalar_ASSIGN(sum, Float, total);
    return sum;
}

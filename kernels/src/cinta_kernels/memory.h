/* Memory of NumPy's arrays that begins where a line of the processor's caches does, as wide vectors are
 * then in one line each. It is NumPy's own memory, a little more of it; the byte before what the array
 * gets says how much was skipped. */

#define LINE 64

static const PyDataMemAllocator *numpys;

static void *lined_up(unsigned char *block) {
    if (block == NULL) return NULL;
    unsigned char skipped = (unsigned char)(LINE - (uintptr_t)block % LINE); /* 1 to 64 */
    block[skipped - 1] = skipped;
    return block + skipped;
}

static unsigned char skipped_before(const void *memory) {
    return ((const unsigned char *)memory)[-1];
}

static unsigned char *block_of(void *memory) {
    return (unsigned char *)memory - skipped_before(memory);
}

static void *lined_malloc(void *context, size_t size) {
    (void)context;
    return size > SIZE_MAX - LINE ? NULL : lined_up(numpys->malloc(numpys->ctx, size + LINE));
}

static void *lined_calloc(void *context, size_t count, size_t size) {
    (void)context;
    if (size > 0 && count > (SIZE_MAX - LINE) / size) return NULL;
    return lined_up(numpys->calloc(numpys->ctx, 1, count * size + LINE));
}

static void *lined_realloc(void *context, void *memory, size_t size) {
    if (memory == NULL) return lined_malloc(context, size);
    if (size > SIZE_MAX - LINE) return NULL;
    unsigned char skipped = skipped_before(memory);
    unsigned char *block = numpys->realloc(numpys->ctx, block_of(memory), size + LINE);
    if (block == NULL) return NULL;
    unsigned char *before = block + skipped;
    memmove(block + (LINE - (uintptr_t)block % LINE), before, size);
    return lined_up(block);
}

static void lined_free(void *context, void *memory, size_t size) {
    (void)context;
    if (memory != NULL) numpys->free(numpys->ctx, block_of(memory), size + LINE);
}

static PyDataMem_Handler lined = {
    "cinta_lines", 1, {NULL, lined_malloc, lined_calloc, lined_realloc, lined_free}};

/* Memory by another handler than NumPy's own stays with it. */
static PyObject *line_up(PyObject *module, PyObject *none) {
    (void)module, (void)none;
    PyObject *current = PyDataMem_GetHandler();
    if (current == NULL) return NULL;
    int is_numpys = current == PyDataMem_DefaultHandler;
    Py_DECREF(current);
    if (!is_numpys) Py_RETURN_FALSE;
    PyDataMem_Handler *own = PyCapsule_GetPointer(PyDataMem_DefaultHandler, "mem_handler");
    PyObject *capsule = own == NULL ? NULL : PyCapsule_New(&lined, "mem_handler", NULL);
    if (capsule == NULL) return NULL;
    numpys = &own->allocator;
    PyObject *before = PyDataMem_SetHandler(capsule);
    Py_DECREF(capsule);
    if (before == NULL) return NULL;
    Py_DECREF(before);
    Py_RETURN_TRUE;
}

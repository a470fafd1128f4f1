/* Products of matrices by the functions of convolutions: a row is what a window sees. */

INLINE void packed_matrix(const char *u, npy_intp row_step, npy_intp column_step, npy_intp inner,
                          npy_intp results, float *to) {
    Window window = {1, 1, inner, 0, 0};
    npy_intp steps[] = {0, 0, row_step, column_step};
    packed(u, steps, &window, results, to);
}

/* Places for packed weights of so many results, the last ones filled up. */
INLINE npy_intp room_for(npy_intp inner, npy_intp results) {
    return (results + COLUMNS - 1) / COLUMNS * COLUMNS * inner;
}

/* The products of rows with packed weights, of which a panel of COLUMNS results has so many. */
INLINE void products(const char *x, npy_intp step, npy_intp rows, npy_intp inner,
                     const float *weights, npy_intp panel, npy_intp results, char *out,
                     npy_intp out_step) {
    Window window = {1, 1, inner, 0, 0};
    for (npy_intp first = 0; first < results; first += COLUMNS, weights += panel) {
        npy_intp columns = at_most(COLUMNS, results - first);
        (columns > WIDTH ? wide_line : narrow_line)(rows, x, step, &window, weights,
                                                    out + first * sizeof(float), out_step, columns);
    }
}

/* Add to packed sums [inner, results] the products of rows, turned, with others. */
INLINE void add_products(const char *x, npy_intp step, npy_intp rows, npy_intp inner,
                         const char *given, npy_intp given_step, npy_intp results, float *panel,
                         float *sums, npy_intp sums_panel) {
    npy_intp steps[] = {0, 0, given_step, sizeof(float)};
    for (npy_intp first = 0; first < results; first += COLUMNS, sums += sums_panel) {
        npy_intp columns = at_most(COLUMNS, results - first);
        packed_rows(given + first * sizeof(float), steps, 1, rows, columns, panel);
        (columns > WIDTH ? wide_weights : narrow_weights)(inner, x, 0, step, 1, rows, panel, sums);
    }
}

/* Copy packed sums to the rows of a matrix. */
INLINE void unpacked_matrix(const float *sums, npy_intp rows, npy_intp results, char *out,
                            npy_intp step) {
    for (npy_intp first = 0; first < results; first += COLUMNS)
        for (npy_intp i = 0; i < rows; i++, sums += COLUMNS)
            first_columns(sums, at_most(COLUMNS, results - first), (float *)(out + i * step) + first);
}

/* Memory for several parts, of so many numbers each, from the first on; 0 if there is none. */
INLINE int divided_memory(const npy_intp *lengths, float **const *parts, int count) {
    npy_intp all = 1;
    for (int i = 0; i < count; i++) all += lengths[i];
    float *found = memory_for(all);
    for (int i = 0; i < count && found != NULL; found += lengths[i++]) *parts[i] = found;
    return found != NULL;
}

/* Rows of images in PNG files: the bytes of pixels are stored as differences to what their neighbors
 * predict, by one of five filters for each row. */

enum { AS_THEY_ARE, LEFT, ABOVE, MEAN_OF_BOTH, NEAREST_TO_SLOPE };
#define NO_FILTER "there is no such filter of rows"
#define MOST_CHANNELS 8

/* One or the other, without a branch, which processors would often guess wrong. */
INLINE int chosen(int truth, int one, int other) { return other ^ ((one ^ other) & -truth); }

/* Of left, above and the one between them, the nearest to left + above - between. */
INLINE int nearest_to_slope(int left, int above, int between) {
    int to_left = abs(above - between), to_above = abs(left - between);
    int to_between = abs(left + above - 2 * between);
    int other = chosen(to_above <= to_between, above, between);
    return chosen((to_left <= to_above) & (to_left <= to_between), left, other);
}

/* A row with what is predicted from the pixel to the left, which is 0 at first, and from the row above.
 * The number of channels is known to compilers, which keep a pixel in registers. */
INLINE void predicted_by_left(const uint8_t *x, const uint8_t *above, uint8_t *out, npy_intp n,
                              int filter, int channels) {
    int left[MOST_CHANNELS] = {0}, between[MOST_CHANNELS] = {0};
    for (npy_intp i = 0; i < n; i += channels)
        for (int k = 0; k < channels; k++) {
            int up = above == NULL ? 0 : above[i + k];
            int found = filter == LEFT           ? left[k]
                        : filter == MEAN_OF_BOTH ? (left[k] + up) >> 1
                                                 : nearest_to_slope(left[k], up, between[k]);
            between[k] = up;
            left[k] = out[i + k] = (uint8_t)(x[i + k] + found);
        }
}

INLINE void predicted_of(const uint8_t *x, const uint8_t *above, uint8_t *out, npy_intp n, int filter,
                         int channels) {
    if (channels == 1)
        predicted_by_left(x, above, out, n, filter, 1);
    else if (channels == 3)
        predicted_by_left(x, above, out, n, filter, 3);
    else if (channels == 4)
        predicted_by_left(x, above, out, n, filter, 4);
    else
        predicted_by_left(x, above, out, n, filter, channels);
}

INLINE void unfiltered_row(const uint8_t *x, const uint8_t *above, uint8_t *out, npy_intp n,
                           int filter, int channels) {
    if (filter == LEFT)
        predicted_of(x, above, out, n, LEFT, channels);
    else if (filter == MEAN_OF_BOTH)
        predicted_of(x, above, out, n, MEAN_OF_BOTH, channels);
    else if (filter == NEAREST_TO_SLOPE)
        predicted_of(x, above, out, n, NEAREST_TO_SLOPE, channels);
    else if (filter == ABOVE && above != NULL)
        for (npy_intp i = 0; i < n; i++) out[i] = (uint8_t)(x[i] + above[i]);
    else
        memcpy(out, x, (size_t)n);
}

INLINE int are_filters(const char *filters, npy_intp step, npy_intp rows) {
    for (npy_intp row = 0; row < rows; row++, filters += step)
        if (*(const uint8_t *)filters > NEAREST_TO_SLOPE) return 0;
    return 1;
}

/* (h),(h,w),()->(h,w): from the filters, the filtered rows and the bytes of a pixel, the rows. */
void FOR_THIS(unfiltered)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp h = counts[1], w = counts[2];
    (void)none;
    for (npy_intp image = 0; h > 0 && image < counts[0]; image++) {
        const char *filters = args[0] + image * steps[0], *x = args[1] + image * steps[1];
        int channels = *(const uint8_t *)(args[2] + image * steps[2]);
        char *out = args[3] + image * steps[3];
        if (refused(are_filters(filters, steps[4], h), NO_FILTER) ||
            refused(channels > 0 && channels <= MOST_CHANNELS && w % channels == 0, "no such pixels") ||
            refused((steps[6] == 1 && steps[8] == 1) || w <= 1, APART))
            return;
        for (npy_intp row = 0; row < h; row++) {
            const char *above = row == 0 ? NULL : out + (row - 1) * steps[7];
            unfiltered_row((const uint8_t *)(x + row * steps[5]), (const uint8_t *)above,
                           (uint8_t *)(out + row * steps[7]), w,
                           *(const uint8_t *)(filters + row * steps[4]), channels);
        }
    }
}

/* Images of another size: rows and columns as weighted sums of the old ones. Products are rounded before
 * they are added, as NumPy does. */

#define TOGETHER 4 /* channels; buffers have room for so many more numbers */

INLINE int are_inside(const npy_intp *places, npy_intp count, npy_intp length) {
    int inside = 1;
    for (npy_intp i = 0; i < count; i++) inside &= places[i] >= 0 && places[i] < length;
    return inside;
}

/* A sum of rows, where `step` numbers are from one row to the next. */
INLINE void row_of(const char *image, npy_intp step, npy_intp numbers, const npy_intp *places,
                   const float *weights, npy_intp taps, float *restrict out) {
    for (npy_intp k = 0; k < taps; k++) {
        const float *row = (const float *)(image + places[k] * step);
        float weight = weights[k];
        if (k == 0) {
            for (npy_intp i = 0; i < numbers; i++) out[i] = row[i] * weight;
        } else {
            for (npy_intp i = 0; i < numbers; i++) out[i] += row[i] * weight;
        }
    }
}

/* Sums of the places in a row, some channels at a time. */
INLINE void places_of(const float *restrict row, npy_intp channels, npy_intp width,
                      const npy_intp *places, const float *weights, npy_intp taps,
                      float *restrict out) {
    for (npy_intp at = 0; at < width; at++, places += taps, weights += taps, out += channels)
        for (npy_intp first = 0; first < channels; first += TOGETHER) {
            float sum[TOGETHER];
            const float *from = row + places[0] * channels + first;
            for (int c = 0; c < TOGETHER; c++) sum[c] = from[c] * weights[0];
            for (npy_intp k = 1; k < taps; k++) {
                from = row + places[k] * channels + first;
                for (int c = 0; c < TOGETHER; c++) sum[c] += from[c] * weights[k];
            }
            memcpy(out + first, sum, sizeof sum);
        }
}

/* (y,x,c),(h,j),(h,j),(w,k),(w,k)->(h,w,c): for each new row the places of old ones and their weights, and
 * for each new column too. */
void FOR_THIS(resampled)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp height = counts[1], width = counts[2], channels = counts[3], rows = counts[4],
             row_taps = counts[5], columns = counts[6], taps = counts[7];
    const npy_intp *x_steps = steps + 6, *out_steps = steps + 17;
    npy_intp numbers = width * channels, made = columns * channels;
    (void)none;
    int whole = is_close(x_steps[2], channels, numbers) && is_close(out_steps[2], channels, made) &&
                (x_steps[1] == channels * (npy_intp)sizeof(float) || width <= 1) &&
                (out_steps[1] == channels * (npy_intp)sizeof(float) || columns <= 1);
    for (int i = 0; i < 4; i++) { /* the tables */
        npy_intp lines = i < 2 ? rows : columns, count = i < 2 ? row_taps : taps, size = i % 2 ? 4 : 8;
        whole = whole && (steps[9 + 2 * i + 1] == size || count <= 1) &&
                (steps[9 + 2 * i] == count * size || lines <= 1);
    }
    if (rows * made == 0) return;
    if (refused(row_taps > 0 && taps > 0, "there must be places for each row and column") ||
        refused(whole, APART))
        return;
    float *row = memory_for(numbers + made + 2 * TOGETHER), *out = row + numbers + TOGETHER;
    if (row == NULL) return;
    memset(row, 0, (numbers + made + 2 * TOGETHER) * sizeof(float));
    for (npy_intp each = 0; each < counts[0]; each++) {
        char *of[6];
        for (int i = 0; i < 6; i++) of[i] = args[i] + each * steps[i];
        if (refused(are_inside((const npy_intp *)of[1], rows * row_taps, height) &&
                        are_inside((const npy_intp *)of[3], columns * taps, width),
                    "places must be in the image"))
            break;
        for (npy_intp i = 0; i < rows; i++) {
            row_of(of[0], x_steps[0], numbers, (const npy_intp *)of[1] + i * row_taps,
                   (const float *)of[2] + i * row_taps, row_taps, row);
            places_of(row, channels, columns, (const npy_intp *)of[3], (const float *)of[4], taps,
                      out);
            memcpy(of[5] + i * out_steps[0], out, made * sizeof(float));
        }
    }
    free(row);
    say_nothing();
}

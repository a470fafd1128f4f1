/* Images of another size: rows and columns as weighted sums of the old ones. Products are rounded before
 * they are added, as NumPy does. Numbers of an image are floats, or bytes. */

#define TOGETHER 4        /* channels; buffers have room for so many more numbers */
#define MOST_ROWS 8       /* of which some places alone are summed */
#define NEAR_NUMBERS 2048 /* of rows that are summed, so that the sums stay in the nearest cache */

INLINE int are_inside(const npy_intp *places, npy_intp count, npy_intp length) {
    int inside = 1;
    for (npy_intp i = 0; i < count; i++) inside &= places[i] >= 0 && places[i] < length;
    return inside;
}

typedef float Four __attribute__((vector_size(4 * TOGETHER)));
typedef unsigned char FourBytes __attribute__((vector_size(TOGETHER)));

INLINE float number_at(const char *row, npy_intp i, int bytes) {
    return bytes ? (float)((const unsigned char *)row)[i] : ((const float *)row)[i];
}

INLINE Four floats_of(FourBytes given) {
#if defined(__AVX2__) /* compilers would take the bytes one by one */
    int32_t all;
    memcpy(&all, &given, sizeof all);
    return (Four)_mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(all)));
#else
    return __builtin_convertvector(given, Four);
#endif
}

/* The numbers from one on. Where there are not so many, zeros follow. */
INLINE Four four_at(const char *row, npy_intp i, npy_intp numbers, int bytes) {
    npy_intp size = bytes ? 1 : sizeof(float), left = numbers - i;
    Four floats = {0};
    FourBytes given = {0};
    void *to = bytes ? (void *)&given : (void *)&floats;
    if (left >= TOGETHER)
        memcpy(to, row + i * size, TOGETHER * size);
    else
        memcpy(to, row + i * size, left * size);
    return bytes ? floats_of(given) : floats;
}

/* Rows of an image that are summed to a new one. */
typedef struct {
    const char *image;
    npy_intp step, width, channels, taps; /* the step is that from one row to the next */
    const npy_intp *places;
    const float *weights;
} Rows;

/* The sum of rows. */
INLINE void row_of(const Rows *rows, float *restrict out, int bytes) {
    npy_intp numbers = rows->width * rows->channels;
    for (npy_intp first = 0; first < numbers; first += NEAR_NUMBERS) {
        npy_intp last = at_most(numbers, first + NEAR_NUMBERS);
        for (npy_intp k = 0; k < rows->taps; k++) {
            const char *row = rows->image + rows->places[k] * rows->step;
            float weight = rows->weights[k];
            if (k == 0) {
                for (npy_intp i = first; i < last; i++) out[i] = number_at(row, i, bytes) * weight;
            } else {
                for (npy_intp i = first; i < last; i++) out[i] += number_at(row, i, bytes) * weight;
            }
        }
    }
}

/* The same for some places of a few rows alone, some channels at a time. */
INLINE void points_of(const Rows *rows, int taps, const npy_intp *points, npy_intp count,
                      float *out, int bytes) {
    npy_intp channels = rows->channels, numbers = rows->width * channels;
    const char *row[MOST_ROWS];
    float weight[MOST_ROWS];
    for (int k = 0; k < taps; k++) {
        row[k] = rows->image + rows->places[k] * rows->step;
        weight[k] = rows->weights[k];
    }
    for (npy_intp i = 0; i < count; i++, out += channels)
        for (npy_intp c = 0; c < channels; c += TOGETHER) {
            npy_intp at = points[i] * channels + c;
            Four sum = four_at(row[0], at, numbers, bytes) * weight[0];
            for (int k = 1; k < taps; k++)
                sum += four_at(row[k], at, numbers, bytes) * weight[k];
            memcpy(out + c, &sum, sizeof sum);
        }
}

/* Sums of the places in a row, after which there are some numbers more. */
INLINE void places_of(const float *row, npy_intp channels, npy_intp width, const npy_intp *places,
                      const float *weights, npy_intp taps, float *out) {
    for (npy_intp at = 0; at < width; at++, places += taps, weights += taps, out += channels)
        for (npy_intp c = 0; c < channels; c += TOGETHER) {
            Four number, sum;
            memcpy(&number, row + places[0] * channels + c, sizeof number);
            sum = number * weights[0];
            for (npy_intp k = 1; k < taps; k++) {
                memcpy(&number, row + places[k] * channels + c, sizeof number);
                sum += number * weights[k];
            }
            memcpy(out + c, &sum, sizeof sum);
        }
}

/* Where the rows of images, tables and results do not stand side by side in memory. */
INLINE int are_apart(const npy_intp *counts, const npy_intp *steps, npy_intp size) {
    npy_intp width = counts[2], channels = counts[3], columns = counts[6];
    const npy_intp *x_steps = steps + 6, *out_steps = steps + 17;
    npy_intp number = sizeof(float), pixel = channels * number;
    int whole = (x_steps[2] == size || channels <= 1) &&
                (x_steps[1] == channels * size || width <= 1) &&
                (out_steps[2] == number || channels <= 1) &&
                (out_steps[1] == pixel || columns <= 1);
    for (int i = 0; i < 4; i++) { /* the tables */
        npy_intp lines = counts[i < 2 ? 4 : 6], count = counts[i < 2 ? 5 : 7];
        npy_intp each = i % 2 ? sizeof(float) : sizeof(npy_intp);
        whole = whole && (steps[9 + 2 * i + 1] == each || count <= 1) &&
                (steps[9 + 2 * i] == count * each || lines <= 1);
    }
    return !whole;
}

/* An image, for whose rows there is memory, and for new ones, and for places one after the other. Where
 * few places of wide rows count, these alone are summed. */
INLINE void resample(char *const *of, const npy_intp *counts, const npy_intp *steps, float *row,
                     float *out, const npy_intp *in_order, int bytes) {
    npy_intp row_taps = counts[5], columns = counts[6], taps = counts[7], points = columns * taps;
    const npy_intp *places = (const npy_intp *)of[3];
    int few = 2 * points <= counts[2] && row_taps <= MOST_ROWS;
    for (npy_intp i = 0; i < counts[4]; i++) {
        Rows rows = {of[0], steps[6], counts[2], counts[3], row_taps,
                     (const npy_intp *)of[1] + i * row_taps, (const float *)of[2] + i * row_taps};
        if (few && row_taps == 2)
            points_of(&rows, 2, places, points, row, bytes);
        else if (few)
            points_of(&rows, (int)row_taps, places, points, row, bytes);
        else
            row_of(&rows, row, bytes);
        const npy_intp *made = few ? in_order : places;
        if (taps == 2)
            places_of(row, counts[3], columns, made, (const float *)of[4], 2, out);
        else
            places_of(row, counts[3], columns, made, (const float *)of[4], taps, out);
        memcpy(of[5] + i * steps[17], out, columns * counts[3] * sizeof(float));
    }
}

INLINE void resample_all(char **args, const npy_intp *counts, const npy_intp *steps, int bytes) {
    npy_intp height = counts[1], width = counts[2], channels = counts[3], points = counts[6] * counts[7];
    npy_intp numbers = width * channels, made = counts[6] * channels;
    if (counts[4] * made == 0) return;
    if (refused(counts[5] > 0 && counts[7] > 0, "there must be places for each row and column") ||
        refused(!are_apart(counts, steps, bytes ? 1 : sizeof(float)), APART))
        return;
    npy_intp room = numbers + made + 2 * TOGETHER;
    float *row = memory_for(room + 2 + 2 * points), *out = row + numbers + TOGETHER;
    if (row == NULL) return;
    memset(row, 0, room * sizeof(float));
    npy_intp *in_order = (npy_intp *)(row + room + room % 2);
    for (npy_intp i = 0; i < points; i++) in_order[i] = i;
    for (npy_intp each = 0; each < counts[0]; each++) {
        char *of[6];
        for (int i = 0; i < 6; i++) of[i] = args[i] + each * steps[i];
        if (refused(are_inside((const npy_intp *)of[1], counts[4] * counts[5], height) &&
                        are_inside((const npy_intp *)of[3], points, width),
                    "places must be in the image"))
            break;
        resample(of, counts, steps, row, out, in_order, bytes);
    }
    free(row);
    say_nothing();
}

/* (y,x,c),(h,j),(h,j),(w,k),(w,k)->(h,w,c): for each new row the places of old ones and their weights, and
 * for each new column too. */
void FOR_THIS(resampled)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    (void)none;
    resample_all(args, counts, steps, 0);
}

/* The same for images of bytes. */
void FOR_THIS(resampled_bytes)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    (void)none;
    resample_all(args, counts, steps, 1);
}

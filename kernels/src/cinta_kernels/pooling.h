/* The largest numbers that windows see, channels last: each channel by itself. NaN is larger than all
 * others. The last channels may begin among those before them. */

/* Where numbers of a vector are chosen, and nothing elsewhere. */
INLINE Vector where_chosen(Vector x, Bits chosen) { return (Vector)((Bits)x & chosen); }

INLINE Vector larger_or_nan(Vector x, Vector top) {
    Bits chosen = (x > top) | (x != x);
    return (Vector)(((Bits)x & chosen) | ((Bits)top & ~chosen));
}

INLINE Vector largest_of_window(const float *seen, npy_intp lines, npy_intp places,
                                const npy_intp *steps) {
    Vector top = repeated(-INFINITY);
    for (npy_intp line = 0; line < lines; line++)
        for (npy_intp place = 0; place < places; place++) {
            const char *from = (const char *)seen + line * steps[0] + place * steps[1];
            top = larger_or_nan(loaded((const float *)from), top);
        }
    return top;
}

/* (n,h,w,l,p,c)->(n,h,w,c): for each window and channel the largest number. */
void FOR_THIS(max_pool)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp rows = counts[2], width = counts[3], lines = counts[4], places = counts[5],
             channels = counts[6];
    const npy_intp *x_steps = steps + 2, *out_steps = steps + 8;
    (void)none;
    if (refused(channels >= COLUMNS, FEW_CHANNELS) ||
        refused(product(counts, 7) == 0 || (SIDE_BY_SIDE(x_steps[5]) && SIDE_BY_SIDE(out_steps[3])),
                APART))
        return;
    for (npy_intp line = 0; line < counts[0] * counts[1] * rows; line++) {
        npy_intp image = line / rows % counts[1], each = line / rows / counts[1];
        const char *seen = args[0] + each * steps[0] + image * x_steps[0] + line % rows * x_steps[1];
        char *out =
            args[1] + each * steps[1] + image * out_steps[0] + line % rows * out_steps[1];
        for (npy_intp i = 0; i < width; i++, seen += x_steps[2], out += out_steps[2])
            for (npy_intp next = 0; next < channels; next += WIDTH) {
                npy_intp first = at_most(channels - WIDTH, next);
                stored(largest_of_window((const float *)seen + first, lines, places, x_steps + 3),
                       (float *)out + first);
            }
    }
    say_nothing();
}

/* A window of an image, of WIDTH channels: what is given goes to the first place of the largest
 * number, and to the first of all if there is none, because it is NaN. */
INLINE void give_to_largest(const char *x, char *out, const npy_intp *sizes, const npy_intp *x_steps,
                            const npy_intp *out_steps, Vector top, Vector given) {
    Bits open = repeated(0.0f) == repeated(0.0f);
    for (npy_intp line = 0; line < sizes[0]; line++)
        for (npy_intp place = 0; place < sizes[1]; place++) {
            const char *from = x + line * x_steps[0] + place * x_steps[1];
            float *to = (float *)(out + line * out_steps[0] + place * out_steps[1]);
            Bits won = (loaded((const float *)from) == top) & open;
            open &= ~won;
            stored(loaded(to) + where_chosen(given, won), to);
        }
    stored(loaded((float *)out) + where_chosen(given, open), (float *)out);
}

/* (n,y,x,c),(n,h,w,c),(n,h,w,c),(k)->(n,y,x,c): from images, the largest numbers in their windows, what
 * is given for these, and two numbers each for the size of a window, its steps and its dilations,
 * the gradient of the images. */
void FOR_THIS(max_pool_gradient)(char **args, const npy_intp *counts, const npy_intp *steps,
                                 void *none) {
    npy_intp images = counts[1], height = counts[2], width = counts[3], channels = counts[4],
             rows = counts[5], columns = counts[6];
    const npy_intp *x_steps = steps + 5, *top_steps = steps + 9, *g_steps = steps + 13,
                   *out_steps = steps + 18;
    (void)none;
    if (refused(channels >= COLUMNS, FEW_CHANNELS) || refused(counts[7] == 6, "there must be 6 sizes") ||
        refused(product(counts, 5) == 0 ||
                    (SIDE_BY_SIDE(x_steps[3]) && SIDE_BY_SIDE(out_steps[3]) &&
                     (rows * columns == 0 ||
                      (SIDE_BY_SIDE(top_steps[3]) && SIDE_BY_SIDE(g_steps[3])))),
                APART))
        return;
    for (npy_intp image = 0; image < counts[0] * images; image++) {
        npy_intp each = image / images, n = image % images, sizes[6];
        const char *x = args[0] + each * steps[0] + n * x_steps[0];
        const char *top = args[1] + each * steps[1] + n * top_steps[0];
        const char *given = args[2] + each * steps[2] + n * g_steps[0];
        char *out = args[4] + each * steps[4] + n * out_steps[0];
        for (int i = 0; i < 6; i++) sizes[i] = *(npy_intp *)(args[3] + each * steps[3] + i * steps[17]);
        npy_intp x_inside[] = {sizes[4] * x_steps[1], sizes[5] * x_steps[2]};
        npy_intp out_inside[] = {sizes[4] * out_steps[1], sizes[5] * out_steps[2]};
        for (npy_intp i = 0; i < height; i++)
            for (npy_intp j = 0; j < width; j++)
                memset(out + i * out_steps[1] + j * out_steps[2], 0, channels * sizeof(float));
        for (npy_intp i = 0; i < rows; i++)
            for (npy_intp j = 0; j < columns; j++) {
                npy_intp down = i * sizes[2], across = j * sizes[3];
                const char *from = x + down * x_steps[1] + across * x_steps[2];
                char *to = out + down * out_steps[1] + across * out_steps[2];
                const float *largest = (const float *)(top + i * top_steps[1] + j * top_steps[2]);
                const float *own = (const float *)(given + i * g_steps[1] + j * g_steps[2]);
                npy_intp c = 0;
                for (; c + WIDTH <= channels; c += WIDTH)
                    give_to_largest(from + c * sizeof(float), to + c * sizeof(float), sizes,
                                    x_inside, out_inside, loaded(largest + c), loaded(own + c));
                if (c == channels) continue;
                npy_intp first = channels - WIDTH; /* those that had theirs get nothing now */
                float rest[WIDTH] = {0};
                memcpy(rest + (c - first), own + c, (channels - c) * sizeof(float));
                give_to_largest(from + first * sizeof(float), to + first * sizeof(float), sizes,
                                x_inside, out_inside, loaded(largest + first), loaded(rest));
            }
    }
    say_nothing();
}

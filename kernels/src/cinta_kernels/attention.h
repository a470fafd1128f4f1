/* Attention, softmax(q k^T) v, and its gradient: for one head after the other, and some queries at a
 * time, so that their scores stay in a cache. No sum depends on how many queries there are. */

#define NEAR_SCORES (1 << 15)
#define HIDDEN_SCORE ((float)(-0.7 * 3.4028234663852886e38)) /* so low that its weight is 0 */

/* Which keys are hidden from which queries: those that the mask has no 1 for, and later ones. */
typedef struct {
    const char *mask;
    npy_intp down, across;
    int has_mask, causal;
} Hiding;

/* A mask without steps is the same for all; it may hide nothing. */
INLINE Hiding hiding_by(const char *mask, const npy_intp *steps, const char *causal) {
    return (Hiding){mask, steps[0], steps[1], steps[0] || steps[1] || !*mask, *causal != 0};
}

/* How many keys the queries before the last one see: those after them are not read. */
INLINE npy_intp seen_before(const Hiding *hiding, npy_intp last, npy_intp keys) {
    return hiding->causal && !hiding->has_mask ? at_most(keys, last) : keys;
}

INLINE void hide(const Hiding *hiding, npy_intp first, npy_intp rows, npy_intp keys, float number,
                 float *scores) {
    for (npy_intp i = first; i < first + rows; i++, scores += keys) {
        const char *mask = hiding->mask + i * hiding->down;
        for (npy_intp j = 0; hiding->has_mask && j < keys; j++, mask += hiding->across)
            scores[j] = *mask ? scores[j] : number;
        for (npy_intp j = i + 1; hiding->causal && j < keys; j++) scores[j] = number;
    }
}

/* Queries whose scores are made together: as many as keep sums in registers, some times over. */
INLINE npy_intp queries_for(npy_intp keys, npy_intp queries) {
    npy_intp times = NEAR_SCORES / (keys > 0 ? keys : 1) / MOST;
    return at_most(queries, (times < 1 ? 1 : at_most(8, times)) * MOST);
}

/* For some queries of a head, whose keys and values are packed. */
INLINE void outputs_of(char *const *of, const npy_intp *counts, const npy_intp *steps,
                       const Hiding *hiding, npy_intp first, npy_intp rows, const float *turned,
                       const float *values, float *scores) {
    npy_intp size = counts[2], keys = counts[3], depth = counts[4];
    npy_intp seen = seen_before(hiding, first + rows, keys), row = seen * sizeof(float);
    char *out = of[5] + first * steps[16], *top = of[6] + first * steps[18];
    char *total = of[7] + first * steps[19];
    products(of[0] + first * steps[8], steps[8], rows, size, turned, size * COLUMNS, seen,
             (char *)scores, row);
    hide(hiding, first, rows, seen, HIDDEN_SCORE, scores);
    for (npy_intp i = 0; i < rows; i++) {
        float *own = scores + i * seen, largest = largest_of(own, seen);
        FLOAT(top + i * steps[18]) = largest;
        FLOAT(total + i * steps[19]) = exponentials_of(own, largest, own, seen);
    }
    products((char *)scores, row, rows, seen, values, keys * COLUMNS, depth, out, steps[16]);
    for (npy_intp i = 0; i < rows; i++) {
        float *own = (float *)(out + i * steps[16]), sum = FLOAT(total + i * steps[19]);
        for (npy_intp e = 0; e < depth; e++) own[e] /= sum;
    }
}

/* (i,d),(j,d),(j,e),(i,j),()->(i,e),(i),(i): from queries, keys, values, a mask and whether later keys are
 * hidden, the outputs, what was subtracted from the scores, and the sums of exponentials. */
void FOR_THIS(attention)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp queries = counts[1], size = counts[2], keys = counts[3], depth = counts[4];
    npy_intp together = queries_for(keys, queries), all = product(counts, 5);
    (void)none;
    if (refused(is_close(steps[9], size, all) && is_close(steps[17], depth, all), APART)) return;
    float *turned = memory_for(room_for(size, keys) + room_for(keys, depth) + together * keys + 1);
    float *values = turned + room_for(size, keys), *scores = values + room_for(keys, depth);
    if (turned == NULL) return;
    for (npy_intp each = 0; each < counts[0]; each++) {
        char *of[8];
        for (int i = 0; i < 8; i++) of[i] = args[i] + each * steps[i];
        Hiding hiding = hiding_by(of[3], steps + 14, of[4]);
        packed_matrix(of[1], steps[11], steps[10], size, keys, turned);
        packed_matrix(of[2], steps[12], steps[13], keys, depth, values);
        for (npy_intp first = 0; first < queries; first += together)
            outputs_of(of, counts, steps, &hiding, first, at_most(together, queries - first), turned,
                       values, scores);
    }
    free(turned);
    say_nothing();
}

/* What the gradient keeps for a head: keys and values packed both ways round, what is to be summed for
 * them, and for some queries the exponentials, the gradients of their scores, and what is given. */
typedef struct {
    float *turned, *keys, *values, *by_keys, *by_values, *powers, *slopes, *given, *panel;
} Packed;

/* From the scores of some queries their exponentials; what is given for each, divided by their sum. */
INLINE void powers_of(char *const *of, const npy_intp *steps, npy_intp first, npy_intp rows,
                      npy_intp seen, npy_intp depth, const Packed *kept) {
    for (npy_intp i = 0; i < rows; i++) {
        const float *g = (const float *)(of[5] + (first + i) * steps[20]);
        float top = FLOAT(of[7] + (first + i) * steps[24]);
        float total = FLOAT(of[8] + (first + i) * steps[25]);
        float *own = kept->powers + i * seen, *given = kept->given + i * depth;
        for (npy_intp j = 0; j < seen; j++) own[j] = exp_of(own[j] - top);
        for (npy_intp e = 0; e < depth; e++) given[e] = g[e] / total;
    }
}

/* The gradients of scores, from those of exponentials. */
INLINE void slopes_of(char *const *of, const npy_intp *steps, npy_intp first, npy_intp rows,
                      npy_intp seen, npy_intp depth, const Packed *kept) {
    for (npy_intp i = 0; i < rows; i++) {
        const float *out = (const float *)(of[6] + (first + i) * steps[22]);
        const float *powers = kept->powers + i * seen;
        float common = sum_of_products(kept->given + i * depth, out, depth);
        float *own = kept->slopes + i * seen;
        for (npy_intp j = 0; j < seen; j++) own[j] = (own[j] - common) * powers[j];
    }
}

/* For some queries of a head: their gradients, and what they add to those of keys and values. */
INLINE void head_gradients_of(char *const *of, const npy_intp *counts, const npy_intp *steps,
                         const Hiding *hiding, npy_intp first, npy_intp rows, const Packed *kept) {
    npy_intp size = counts[2], keys = counts[3], depth = counts[4], wide = depth * sizeof(float);
    npy_intp seen = seen_before(hiding, first + rows, keys), row = seen * sizeof(float);
    npy_intp panel = keys * COLUMNS;
    const char *q = of[0] + first * steps[12];
    char *powers = (char *)kept->powers, *slopes = (char *)kept->slopes;
    char *given = (char *)kept->given, *by_q = of[9] + first * steps[26];
    products(q, steps[12], rows, size, kept->turned, size * COLUMNS, seen, powers, row);
    hide(hiding, first, rows, seen, HIDDEN_SCORE, kept->powers);
    powers_of(of, steps, first, rows, seen, depth, kept);
    products(given, wide, rows, depth, kept->values, depth * COLUMNS, seen, slopes, row);
    slopes_of(of, steps, first, rows, seen, depth, kept);
    hide(hiding, first, rows, seen, 0.0f, kept->slopes);
    products(slopes, row, rows, seen, kept->keys, panel, size, by_q, steps[26]);
    add_products(slopes, row, rows, seen, q, steps[12], size, kept->panel, kept->by_keys, panel);
    add_products(powers, row, rows, seen, given, wide, depth, kept->panel, kept->by_values, panel);
}

/* (i,d),(j,d),(j,e),(i,j),(),(i,e),(i,e),(i),(i)->(i,d),(j,d),(j,e): from what the attention took, what is
 * given for its outputs, and all that it made, the gradients of queries, keys and values. */
void FOR_THIS(attention_gradient)(char **args, const npy_intp *counts, const npy_intp *steps,
                                  void *none) {
    npy_intp queries = counts[1], size = counts[2], keys = counts[3], depth = counts[4];
    npy_intp together = queries_for(keys, queries), all = product(counts, 5);
    npy_intp by_keys = room_for(keys, size), by_values = room_for(keys, depth);
    const npy_intp lengths[] = {room_for(size, keys), by_keys, room_for(depth, keys), by_keys,
                                by_values, together * keys, together * keys, together * depth,
                                together * COLUMNS};
    const int close[] = {13, 21, 23, 27, 29, 31};
    const npy_intp widths[] = {size, depth, depth, size, size, depth};
    Packed kept;
    float **const parts[] = {&kept.turned,  &kept.keys,      &kept.values,
                             &kept.by_keys, &kept.by_values, &kept.powers,
                             &kept.slopes,  &kept.given,     &kept.panel};
    (void)none;
    int are_close = 1;
    for (int i = 0; i < 6; i++) are_close = are_close && is_close(steps[close[i]], widths[i], all);
    if (refused(are_close, APART)) return;
    if (!divided_memory(lengths, parts, 9)) return;
    for (npy_intp each = 0; each < counts[0]; each++) {
        char *of[12];
        for (int i = 0; i < 12; i++) of[i] = args[i] + each * steps[i];
        Hiding hiding = hiding_by(of[3], steps + 18, of[4]);
        packed_matrix(of[1], steps[15], steps[14], size, keys, kept.turned);
        packed_matrix(of[1], steps[14], steps[15], keys, size, kept.keys);
        packed_matrix(of[2], steps[17], steps[16], depth, keys, kept.values);
        memset(kept.by_keys, 0, (size_t)(by_keys + by_values) * sizeof(float));
        for (npy_intp first = 0; first < queries; first += together)
            head_gradients_of(of, counts, steps, &hiding, first, at_most(together, queries - first), &kept);
        unpacked_matrix(kept.by_keys, keys, size, of[10], steps[28]);
        unpacked_matrix(kept.by_values, keys, depth, of[11], steps[30]);
    }
    free(kept.turned);
    say_nothing();
}

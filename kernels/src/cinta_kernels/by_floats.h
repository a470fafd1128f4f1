/* Loops of numbers of two bytes that go by loops of float32: block by block the inputs become float32
 * in buffers, and the results become short again. */

typedef struct {
    Loop *loop;      /* of float32, and its data */
    void *loop_data;
    Loop *from, *to; /* what makes float32 of the dtype, and the dtype of float32 */
    Loop *own;       /* of the dtype, for results that are inputs further on, and its data; or NULL */
    void *own_data;
    int inputs, arguments, short_results;
} ByFloats;

#define BLOCK 512
#define MOST_BY_FLOATS 3

/* Whether numbers of one argument are among those of another, and not each at the same place. */
static int share(const char *x, npy_intp x_step, const char *y, npy_intp y_step, npy_intp n) {
    npy_intp x_way = x_step * (n - 1), y_way = y_step * (n - 1);
    const char *x_low = x_way < 0 ? x + x_way : x, *x_high = x_way < 0 ? x : x + x_way;
    const char *y_low = y_way < 0 ? y + y_way : y, *y_high = y_way < 0 ? y : y + y_way;
    int alike = x == y && x_step == y_step && x_step != 0;
    return x_low <= y_high + 1 && y_low <= x_high + 1 && !alike;
}

/* Whether results are inputs further on, as in sums of many numbers. */
static int feeds_itself(char **args, npy_intp n, const npy_intp *steps, const ByFloats *by) {
    for (int i = 0; i < by->inputs; i++)
        for (int k = by->inputs; k < by->arguments; k++)
            if (share(args[i], steps[i], args[k], steps[k], n)) return 1;
    return 0;
}

/* A single number for all is repeated, as not all loops of NumPy are made for that. */
static void widen(char *x, npy_intp step, float *out, npy_intp n, const ByFloats *by) {
    npy_intp ways[] = {step, sizeof(float)}, count = step == 0 ? 1 : n;
    by->from((char *[]){x, (char *)out}, &count, ways, NULL);
    for (npy_intp i = count; i < n; i++) out[i] = out[0];
}

static void through_block(char **args, npy_intp n, const npy_intp *steps, const ByFloats *by) {
    float buffers[MOST_BY_FLOATS][BLOCK];
    char *wide[MOST_BY_FLOATS];
    npy_intp wide_steps[MOST_BY_FLOATS];
    for (int i = 0; i < by->arguments; i++) {
        int is_input = i < by->inputs, is_short = is_input || by->short_results;
        wide[i] = is_short ? (char *)buffers[i] : args[i];
        wide_steps[i] = is_short ? (npy_intp)sizeof(float) : steps[i];
        if (is_input) widen(args[i], steps[i], buffers[i], n, by);
    }
    by->loop(wide, &n, wide_steps, by->loop_data);
    for (int k = by->inputs; by->short_results && k < by->arguments; k++)
        by->to((char *[]){wide[k], args[k]}, &n, (npy_intp[]){sizeof(float), steps[k]}, NULL);
}

static void through_floats(char **args, const npy_intp *counts, const npy_intp *steps, void *data) {
    const ByFloats *by = data;
    int feeds = feeds_itself(args, counts[0], steps, by);
    npy_intp block = feeds ? 1 : BLOCK;
    if (feeds && by->own != NULL) {
        by->own(args, counts, steps, by->own_data);
        return;
    }
    for (npy_intp start = 0; start < counts[0]; start += block) {
        npy_intp n = counts[0] - start < block ? counts[0] - start : block;
        char *at[MOST_BY_FLOATS];
        for (int i = 0; i < by->arguments; i++) at[i] = args[i] + start * steps[i];
        through_block(at, n, steps, by);
    }
}

/* Sums over the windows of images, channel by channel. */

#define BLOCK 32 /* numbers that fit into the registers of any kind */

/* (i,j,r),(i,j,r)->(r): the sum over the places of a window, each number by its weight. */
void FOR_THIS(weighted)(char **args, const npy_intp *counts, const npy_intp *steps, void *none) {
    npy_intp windows = counts[0], down = counts[1], across = counts[2], n = counts[3];
    npy_intp x_down = steps[3], x_across = steps[4], x_step = steps[5];
    npy_intp w_down = steps[6], w_across = steps[7], w_step = steps[8], out_step = steps[9];
    int close = SIDE_BY_SIDE(x_step) && SIDE_BY_SIDE(w_step) && SIDE_BY_SIDE(out_step);
    char *x = args[0], *w = args[1], *out = args[2];
    (void)none;
    for (; windows-- > 0; x += steps[0], w += steps[1], out += steps[2]) {
        npy_intp r = 0;
        for (; close && r + BLOCK <= n; r += BLOCK) {
            float sum[BLOCK] = {0};
            for (npy_intp i = 0; i < down; i++)
                for (npy_intp j = 0; j < across; j++) {
                    const float *a = (const float *)(x + i * x_down + j * x_across) + r;
                    const float *b = (const float *)(w + i * w_down + j * w_across) + r;
                    for (int k = 0; k < BLOCK; k++) sum[k] = FMA(a[k], b[k], sum[k]);
                }
            memcpy((float *)out + r, sum, sizeof sum);
        }
        for (; r < n; r++) {
            float sum = 0;
            for (npy_intp i = 0; i < down; i++)
                for (npy_intp j = 0; j < across; j++)
                    sum = FMA(FLOAT(x + i * x_down + j * x_across + r * x_step),
                              FLOAT(w + i * w_down + j * w_across + r * w_step), sum);
            FLOAT(out + r * out_step) = sum;
        }
    }
}

/* (h,i,j,r),(h,r)->(i,j,r): what windows saw at each of their places, weighted by what is given
 * for them, and summed over some of them. */
void FOR_THIS(gathered_weights)(char **args, const npy_intp *counts, const npy_intp *steps,
                                void *none) {
    npy_intp times = counts[0], lines = counts[1], down = counts[2], across = counts[3],
             n = counts[4];
    npy_intp x_line = steps[3], x_down = steps[4], x_across = steps[5], x_step = steps[6];
    npy_intp g_line = steps[7], g_step = steps[8];
    npy_intp out_down = steps[9], out_across = steps[10], out_step = steps[11];
    int close = SIDE_BY_SIDE(x_step) && SIDE_BY_SIDE(g_step) && SIDE_BY_SIDE(out_step);
    char *x = args[0], *g = args[1], *out = args[2];
    (void)none;
    for (; times-- > 0; x += steps[0], g += steps[1], out += steps[2])
        for (npy_intp i = 0; i < down; i++)
            for (npy_intp j = 0; j < across; j++) {
                const char *seen = x + i * x_down + j * x_across;
                char *to = out + i * out_down + j * out_across;
                npy_intp r = 0;
                for (; close && r + BLOCK <= n; r += BLOCK) {
                    float sum[BLOCK] = {0};
                    for (npy_intp line = 0; line < lines; line++) {
                        const float *a = (const float *)(seen + line * x_line) + r;
                        const float *b = (const float *)(g + line * g_line) + r;
                        for (int k = 0; k < BLOCK; k++) sum[k] = FMA(a[k], b[k], sum[k]);
                    }
                    memcpy((float *)to + r, sum, sizeof sum);
                }
                for (; r < n; r++) {
                    float sum = 0;
                    for (npy_intp line = 0; line < lines; line++)
                        sum = FMA(FLOAT(seen + line * x_line + r * x_step),
                                  FLOAT(g + line * g_line + r * g_step), sum);
                    FLOAT(to + r * out_step) = sum;
                }
            }
}

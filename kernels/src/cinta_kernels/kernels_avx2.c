#define KIND avx2
#include "loops.h"
#include "softmax.h"
#include "normalization.h"
#include "cross_entropy.h"
#include "windows.h"
#include "convolution.h"
#include "depthwise.h"
#include "lstm.h"

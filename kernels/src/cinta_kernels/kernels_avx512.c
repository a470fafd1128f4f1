#define KIND avx512
#include "loops.h"

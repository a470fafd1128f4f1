#define KIND avx2
#include "loops.h"

#define KIND base
#include "loops.h"

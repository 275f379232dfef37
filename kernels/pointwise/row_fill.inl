// ERSATZ_FILL(name, inputs, kinds) for every row that ERSATZ_HERE_<kinds> lets through, inside a function.
#define UNARY(name, forms, dtypes, promotion, kinds, ...) ERSATZ_HERE_##kinds(ERSATZ_FILL(name, 1, kinds))
#define BINARY(name, dtypes, promotion, kinds, ...) ERSATZ_HERE_##kinds(ERSATZ_FILL(name, 2, kinds))
#define ROW1(name, kinds, ...) ERSATZ_HERE_##kinds(ERSATZ_FILL(name, 1, kinds))
#define ROW2(name, kinds, ...) ERSATZ_HERE_##kinds(ERSATZ_FILL(name, 2, kinds))
#define ROW3(name, kinds, ...) ERSATZ_HERE_##kinds(ERSATZ_FILL(name, 3, kinds))
#include "kernels/pointwise/all_rows.def"
#undef ERSATZ_FILL

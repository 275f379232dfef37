// Defines a struct Row_NAME for every row (op) of the tables, and fill_rows(table), which writes their loops to the
// table. Each rows_* file includes this file in its unnamed namespace. It REQUIRES a constant `kHere`, the kinds that
// the file compiles, and a function fill_row<R, inputs, kinds>(entries of the row).
#define UNARY(name, forms, dtypes, promotion, kinds, expression, ...) ROW1(name, kinds, expression)
#define BINARY(name, dtypes, promotion, kinds, expression, ...) ROW2(name, kinds, expression)
#define ROW1(name, kinds, expression)                                   \
  struct Row_##name {                                                   \
    template <class V>                                                  \
    ERSATZ_HD static auto f(V x, [[maybe_unused]] const Params<V>& p) { \
      return expression;                                                \
    }                                                                   \
  };
#define ROW2(name, kinds, expression)                                        \
  struct Row_##name {                                                        \
    template <class V>                                                       \
    ERSATZ_HD static auto f(V x, V y, [[maybe_unused]] const Params<V>& p) { \
      return expression;                                                     \
    }                                                                        \
  };
#define ROW3(name, kinds, expression)                                             \
  struct Row_##name {                                                             \
    template <class V>                                                            \
    ERSATZ_HD static auto f(V x, V y, V z, [[maybe_unused]] const Params<V>& p) { \
      return expression;                                                          \
    }                                                                             \
  };
#include "kernels/pointwise/all_rows.def"

template <class Table>
void fill_rows(Table& table) {
#define ERSATZ_FILL(name, inputs, kinds) \
  fill_row<Row_##name, inputs, (pointwise::kKinds_##kinds & kHere)>(table[static_cast<int>(pointwise::Row::name)]);
#define UNARY(name, forms, dtypes, promotion, kinds, ...) ERSATZ_FILL(name, 1, kinds)
#define BINARY(name, dtypes, promotion, kinds, ...) ERSATZ_FILL(name, 2, kinds)
#define ROW1(name, kinds, ...) ERSATZ_FILL(name, 1, kinds)
#define ROW2(name, kinds, ...) ERSATZ_FILL(name, 2, kinds)
#define ROW3(name, kinds, ...) ERSATZ_FILL(name, 3, kinds)
#include "kernels/pointwise/all_rows.def"
#undef ERSATZ_FILL
}

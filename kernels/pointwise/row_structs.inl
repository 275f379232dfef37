// A struct Row_NAME for every row that ERSATZ_HERE_<kinds> lets through, inside the including file's unnamed namespace.
#define UNARY(name, forms, dtypes, promotion, kinds, expression, ...) ROW1(name, kinds, expression)
#define BINARY(name, dtypes, promotion, kinds, expression, ...) ROW2(name, kinds, expression)
#define ROW1(name, kinds, expression)                         \
  ERSATZ_HERE_##kinds(struct Row_##name {                     \
    template <class V>                                        \
    ERSATZ_HD static auto f(V x, [[maybe_unused]] const Params<V>& p) { \
      return expression;                                      \
  }                                                           \
  }                                                           \
  ;)
#define ROW2(name, kinds, expression)                              \
  ERSATZ_HERE_##kinds(struct Row_##name {                          \
    template <class V>                                             \
    ERSATZ_HD static auto f(V x, V y, [[maybe_unused]] const Params<V>& p) { \
      return expression;                                           \
  }                                                                \
  }                                                                \
  ;)
#define ROW3(name, kinds, expression)                                   \
  ERSATZ_HERE_##kinds(struct Row_##name {                               \
    template <class V>                                                  \
    ERSATZ_HD static auto f(V x, V y, V z, [[maybe_unused]] const Params<V>& p) { \
      return expression;                                                \
  }                                                                     \
  }                                                                     \
  ;)
#include "kernels/pointwise/all_rows.def"

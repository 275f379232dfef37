// A library with functions that `ersatz trace` can trace by name (tracer/trace/function_library.h).
#include "include/ersatz/ops.h"
#include "tracer/trace/function_library.h"

namespace {

using namespace ersatz;

std::vector<Value> layer(std::span<const Value> x) {
  return {Value(ops::relu(ops::linear(x[0].tensor(), x[1].tensor(), {})))};
}
std::vector<Value> twice(std::span<const Value> x) { return {Value(ops::add(x[0].tensor(), x[0].tensor()))}; }

}  // namespace

ERSATZ_FUNCTIONS(list) {
  list.add("layer", layer, "f32[4,8], f32[2,8]");
  list.add("twice", twice);
}

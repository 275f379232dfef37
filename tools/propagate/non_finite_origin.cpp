#include "tools/propagate/non_finite_origin.h"

#include <cmath>

#include "fake/mode/real_values.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "tools/propagate/special_values.h"

namespace ersatz::tools {

namespace {

/// Tells whether there are NaN and Inf among the numbers in a call's arguments.
Special special_numbers(std::span<const Value> args) {
  Special found;
  Values leaves;
  flatten(args, leaves);
  for (const Value& v : leaves) {
    if (v.kind() != Value::Kind::Float) continue;
    found.nan |= std::isnan(v.as_double());
    found.inf |= std::isinf(v.as_double());
  }
  return found;
}

Special special_of(std::span<const Value> args) {
  Special found;
  for_each_tensor(args, [&](TensorImpl* t) {
    if (const Tensor real = RealValues::of(t)) found.add(real);
  });
  return found;
}

}  // namespace

void Special::add(const Tensor& real) {
  const SpecialValues found = special_values(real);
  nan |= found.nan > 0;
  inf |= found.inf > 0;
}

Special special_before(const OpEntry& op, std::span<const Value> args) {
  return op.written.empty() ? Special() : special_of(args);
}

std::optional<NewNonFinite> new_non_finite(const OpEntry& op, std::span<const Value> args, const Special& before,
                                           std::span<const Value> results) {
  if (op.tags.has(Tag::Uninitialized)) return std::nullopt;
  Values made;
  flatten(results, made);
  const size_t of_results = made.size();
  for (const uint16_t i : op.written) flatten(args.subspan(i, 1), made);
  for (size_t k = 0; k < made.size(); ++k) {
    if (!made[k].is_tensor()) continue;
    const Tensor real = RealValues::of(made[k].tensor_impl());
    if (!real) continue;
    const SpecialValues found = special_values(real);
    if (!found.nan && !found.inf) continue;
    const Special given = op.written.empty() ? special_of(args) : before;
    if (given.nan || (given.inf && !found.nan)) return std::nullopt;
    const Special numbers = special_numbers(args);
    NewNonFinite origin;
    origin.nan = found.nan > 0;
    origin.real = real;
    origin.what = k >= of_results   ? "the argument that it writes"
                  : of_results == 1 ? "its result"
                                    : fmt::format("its result {}", k);
    origin.from_inf = given.inf;
    origin.asked = origin.nan ? numbers.nan : numbers.inf;
    return origin;  // one is reported for each call
  }
  return std::nullopt;
}

}  // namespace ersatz::tools

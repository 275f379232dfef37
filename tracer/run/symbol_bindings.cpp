#include "tracer/run/symbol_bindings.h"

#include <functional>
#include <optional>

#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {
namespace {

using Part = SymbolBinding::Part;

/// Calls `see(part, dim, expression)` for each expression of a result.
void each_expression(const Value& v, const std::function<void(Part, size_t, SymInt)>& see) {
  if (!v.is_tensor()) {
    if (v.is_symbolic()) see(Part::Number, 0, v.kind() == Value::Kind::Float ? v.as_sym_float().word() : v.as_int());
    return;
  }
  const TensorMeta& meta = v.tensor_impl()->meta;
  for (size_t d = 0; d < meta.sizes.size(); ++d) see(Part::Size, d, meta.sizes[d]);
  for (size_t d = 0; d < meta.strides.size(); ++d) see(Part::Stride, d, meta.strides[d]);
  see(Part::Offset, 0, meta.offset);
}

}  // namespace

std::string to_string(const SymbolBinding& b) {
  const std::string at = b.part == Part::Size     ? fmt::format("size({})", b.dim)
                         : b.part == Part::Stride ? fmt::format("stride({})", b.dim)
                         : b.part == Part::Offset ? "offset"
                                                  : "value";
  return fmt::format("{}: result {}, {}", b.symbol, b.result, at);
}

std::vector<SymbolBinding> bind_symbols(std::span<const SymInt> made, std::span<const Value> results) {
  std::vector<SymbolBinding> bound;
  Values flat;
  flatten(results, flat);
  for (const SymInt symbol : made) {
    std::optional<SymbolBinding> place;
    for (size_t k = 0; k < flat.size() && !place; ++k) {
      each_expression(flat[k], [&](Part part, size_t dim, SymInt v) {
        if (!place && v.same_word(symbol)) place = SymbolBinding{symbol, k, part, dim};
      });
    }
    if (place) bound.push_back(*place);
  }
  return bound;
}

}  // namespace ersatz

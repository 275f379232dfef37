#include "tracer/run/symbol_bindings.h"

#include <functional>
#include <optional>
#include <unordered_set>

#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/sym/sym_value.h"

namespace ersatz {
namespace {

using Part = SymbolBinding::Part;

using See = std::function<void(Part, size_t, SymInt)>;

/// Calls `see(part, dim, expression)` for each size, stride, offset or number of a result.
void each_expression(const TensorMeta& meta, const See& see) {
  for (size_t d = 0; d < meta.sizes.size(); ++d) see(Part::Size, d, meta.sizes[d]);
  for (size_t d = 0; d < meta.strides.size(); ++d) see(Part::Stride, d, meta.strides[d]);
  see(Part::Offset, 0, meta.offset);
}
void each_expression(const Value& v, const See& see) {
  if (v.is_tensor()) return each_expression(v.tensor_impl()->meta, see);
  if (v.is_symbolic()) see(Part::Number, 0, v.kind() == Value::Kind::Float ? v.as_sym_float().word() : v.as_int());
}
void each_recorded_expression(const Program& program, const GraphValue& v, const See& see) {
  if (const TensorMeta* meta = program.meta(v)) return each_expression(*meta, see);
  if (v.kind == ValueKind::Int && v.record != kNone) each_expression(program.literals[v.record], see);
}

}  // namespace

bool depends_on_data(const SymbolInfo& s) { return !s.hint || s.name.starts_with('u'); }

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
        if (!place && v.is_identical(symbol)) place = SymbolBinding{symbol, k, part, dim};
      });
    }
    if (place) bound.push_back(*place);
  }
  return bound;
}

std::vector<SymbolBinding> recorded_bindings(const Program& program, const Graph& graph, NodeId node) {
  std::vector<SymbolBinding> found;
  const std::vector<ValueId> results = result_values(program, graph.nodes.at(node));
  std::unordered_set<int64_t> known;
  for (size_t k = 0; k < results.size(); ++k) {
    if (results[k] == kNone) continue;
    each_recorded_expression(program, graph.values[results[k]], [&](Part part, size_t dim, SymInt e) {
      if (!is_bare_symbol(e)) return;
      const SymbolInfo* symbol = program.env->find_symbol(to_string(e));
      if (symbol && depends_on_data(*symbol) && known.insert(e.word()).second) found.push_back({e, k, part, dim});
    });
  }
  if (found.empty()) return found;  // most nodes make no symbols
  known.clear();
  for (const GraphValue& v : graph.values) {
    if (v.node == kNone || v.node < node)
      each_recorded_expression(program, v, [&](Part, size_t, SymInt e) { known.insert(e.word()); });
  }
  std::erase_if(found, [&](const SymbolBinding& b) { return known.count(b.symbol.word()) != 0; });
  return found;
}

}  // namespace ersatz

#include "tools/program/synthetic_sizes.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/sym/sym_expr.h"

namespace ersatz::tools {

namespace {

/// Calls `look` with the name of each symbol in the recorded metadata of `value`.
template <class Look>
void each_symbol(const Program& program, const GraphValue& value, const Look& look) {
  if (const TensorMeta* meta = program.meta(value)) {
    for (const SymInt size : meta->sizes) evaluate(size, look);
    for (const SymInt stride : meta->strides) evaluate(stride, look);
  } else if (value.kind == ValueKind::Int && value.record != kNone) {
    evaluate(program.literals[value.record].as_int(), look);
  }
}

bool is_synthetic(const Program& program, const GraphValue& value, std::span<const std::string> synthetic) {
  bool found = false;
  each_symbol(program, value, [&](std::string_view name) {
    found |= std::find(synthetic.begin(), synthetic.end(), name) != synthetic.end();
    return std::optional<int64_t>(1);
  });
  return found;
}

}  // namespace

std::vector<std::string> synthetic_numbers(const Program& program, std::vector<std::string> synthetic) {
  for (const GraphInput& in : program.main().inputs) {
    const GraphValue& value = program.main().values[in.value];
    if (!program.meta(value)) continue;
    each_symbol(program, value, [&](std::string_view name) {
      if (!name.starts_with('u')) std::erase(synthetic, name);
      return std::optional<int64_t>(1);
    });
  }
  return synthetic;
}

bool takes_synthetic(const NodeCall& call, std::span<const std::string> synthetic) {
  if (synthetic.empty()) return false;
  const Program& program = call.program();
  const Graph& graph = call.prepared.graph();
  const auto depends = [&](ValueId id) { return id != kNone && is_synthetic(program, graph.values[id], synthetic); };
  const std::vector<ValueId> arguments = argument_values(program, call.node());
  const std::vector<ValueId> results = result_values(program, call.node());
  return std::any_of(arguments.begin(), arguments.end(), depends) ||
         std::any_of(results.begin(), results.end(), depends);
}

void drop_records(std::span<ResultFacts> facts) {
  for (ResultFacts& f : facts) {
    f.record.reset();
    f.recorded_number.reset();
  }
}

void note_synthetic(const Program& program, std::span<const std::string> synthetic, std::vector<std::string>& notes) {
  for (const std::string& symbol : synthetic) {
    notes.push_back(fmt::format("{} is taken for {}: the text does not say what it was", symbol,
                                program.env->find_symbol(symbol)->hint.value_or(0)));
  }
}

}  // namespace ersatz::tools

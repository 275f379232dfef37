#include "tracer/records/result_facts.h"

namespace ersatz {

namespace {

/// Collects the flat tensor arguments in order. An AliasFact is an index into this list.
void flat_tensors(const Program& p, const Graph& g, std::span<const Arg> args, std::vector<ValueId>& values) {
  for (const Arg& a : args) {
    if (a.kind == Arg::Kind::Value && g.values[a.index].kind == ValueKind::Tensor) {
      values.push_back(a.index);
    } else if (a.kind == Arg::Kind::List) {
      flat_tensors(p, g, p.list(a), values);
    }
  }
}

/// Returns the name of the first value on the storage of `value`. Two values share a storage if their first values are
/// equal.
std::string_view first_on_storage(const Facts& facts, std::string_view value) {
  const ResultFact* fact = facts.find_value(value);
  return fact && !fact->alias.empty() ? std::string_view(fact->alias) : value;
}

/// Returns the first value on the recorded storage of `value`. Only aliases to earlier values are followed.
ValueId storage_root(const Graph& g, ValueId value) {
  while (g.values[value].alias < value) value = g.values[value].alias;
  return value;
}

/// Returns the flat tensor argument that `result` is recorded to alias (`~%name`). If several arguments share that
/// storage, returns the first.
AliasFact recorded_alias(const Program& p, const Graph& g, const Node& node, ValueId result) {
  AliasFact alias;
  if (g.values[result].alias == kNone) return alias;
  std::vector<ValueId> arguments;
  flat_tensors(p, g, p.view(node.args), arguments);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (storage_root(g, arguments[i]) != storage_root(g, result)) continue;
    alias.kind = AliasFact::Kind::Argument;
    alias.argument = static_cast<int>(i);
    break;
  }
  return alias;
}

AliasFact alias_fact(const Program& p, const Graph& g, const Node& node, const Facts& facts, const ResultFact& result) {
  AliasFact alias;
  alias.kind = AliasFact::Kind::Own;
  if (result.alias.empty()) return alias;
  std::vector<ValueId> arguments;
  flat_tensors(p, g, p.view(node.args), arguments);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (first_on_storage(facts, p.name(g.values[arguments[i]].name)) != result.alias) continue;
    alias.kind = AliasFact::Kind::Argument;
    alias.argument = static_cast<int>(i);
    break;
  }
  return alias;
}

}  // namespace

std::vector<ResultFacts> result_facts(const Program& program, const Graph& graph, const Node& node, const Facts* facts,
                                      const SymbolValues& symbols) {
  std::vector<ResultFacts> out;
  for (ValueId id : result_values(program, node)) {
    ResultFacts& known = out.emplace_back();
    if (id == kNone) continue;
    const GraphValue& v = graph.values[id];
    if (const TensorMeta* recorded = program.meta(v)) {
      known.record = symbols.concrete(*recorded);
      known.record_tells_strides = !program.untold.strides;
      known.record_tells_offset = !program.untold.offsets;
      known.record_tells_dtype = !program.untold.dtypes;
      known.record_tells_device = !program.untold.devices;
    } else if (v.kind != ValueKind::Tensor && v.record != kNone) {
      const Value& number = program.literals[v.record];
      if (number.is_symbolic_int()) {
        if (const auto n = symbols.evaluate(number.as_int())) known.recorded_number = Value(*n);
      } else if (number.is_number() && !number.is_symbolic()) {
        known.recorded_number = number;
      }
    }
    known.alias = recorded_alias(program, graph, node, id);
    const ResultFact* fact = facts ? facts->find_value(program.name(v.name)) : nullptr;
    if (!fact) continue;
    known.eager = fact->real;
    known.number = fact->number;
    if (fact->real) known.alias = alias_fact(program, graph, node, *facts, *fact);
  }
  return out;
}

}  // namespace ersatz

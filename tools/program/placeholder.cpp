#include "tools/program/placeholder.h"

#include <algorithm>

#include "runtime/tensor/allocator.h"

namespace ersatz::tools {

namespace {

Value tensor_from(const TensorMeta& meta, const FakeMode* mode) {
  if (mode) return Value(mode->make(meta));
  Tensor t = make_real_tensor(meta);
  const Ref<Storage>& storage = t.storage();
  if (storage->has_bytes()) set_bytes(storage->data(), storage->device(), std::byte{0}, storage->nbytes().as_int());
  return Value(std::move(t));
}

/// Replaces each expression by its value if all its symbols have values.
void fill_in(std::span<SymInt> sizes, const SymbolValues& symbols) {
  for (SymInt& s : sizes) {
    if (const auto n = symbols.evaluate(s)) s = *n;
  }
}

Value placeholder(const NodeCall& call, ValueId id, const FakeMode* mode, const SymbolValues& symbols,
                  std::optional<Device> device, const ResultFacts* facts, UnknownSizes unknown) {
  if (facts && facts->number) return *facts->number;
  if (facts && facts->recorded_number) return *facts->recorded_number;
  if (facts && facts->eager) return tensor_from(*facts->eager, mode);
  const Program& program = call.program();
  const GraphValue& value = call.prepared.graph().values[id];
  if (const TensorMeta* recorded = program.meta(value)) {
    std::optional<TensorMeta> meta = symbols.concrete(*recorded);
    if (!meta && unknown == UnknownSizes::AsRecorded) {
      meta = *recorded;
      fill_in(meta->sizes, symbols);
      fill_in(meta->strides, symbols);
      fill_in({&meta->offset, 1}, symbols);
    }
    if (!meta) return {};
    meta->requires_grad = false;
    if (device) meta->device = *device;
    return tensor_from(*meta, mode);
  }
  if (value.record == kNone) return {};
  const Value& number = program.literals[value.record];
  if (!number.is_symbolic_int()) return number.is_number() ? number : Value();
  std::optional<int64_t> v = symbols.evaluate(number.as_int());
  return v ? Value(*v) : unknown == UnknownSizes::AsRecorded ? number : Value();
}

}  // namespace

Values placeholders(const NodeCall& call, const FakeMode* mode, const SymbolValues& symbols,
                    std::optional<Device> device, std::span<const ResultFacts> facts, UnknownSizes unknown) {
  Values results;
  size_t flat = 0;
  const auto next = [&](const Arg& result) {
    const ResultFacts* known = flat < facts.size() ? &facts[flat] : nullptr;
    ++flat;
    return result.kind == Arg::Kind::Value ? placeholder(call, result.index, mode, symbols, device, known, unknown)
                                           : Value();
  };
  const Program& program = call.program();
  for (const Arg& result : program.view(call.node().results)) {
    if (result.kind != Arg::Kind::List) {
      results.push_back(next(result));
      continue;
    }
    std::vector<Value> items;
    for (const Arg& item : program.list(result)) items.push_back(next(item));
    results.push_back(Value::list(items));
  }
  return results;
}

bool takes_unknown(const NodeCall& call, const Interpreter& interpreter, const std::vector<bool>& placeholders) {
  const std::vector<ValueId> ids = argument_values(call.program(), call.node());
  return std::any_of(ids.begin(), ids.end(), [&](ValueId id) {
    const GraphValue& v = call.prepared.graph().values[id];
    const bool undescribed = v.node == kNone && v.kind == ValueKind::Unknown && v.record == kNone;
    return (undescribed || placeholders[id]) && interpreter.value(id, 0).is_none();
  });
}

void count_refusal(const NodeCall& call, const Error& e, std::map<std::string, int64_t>& refused,
                   std::vector<std::string>& refusals) {
  constexpr size_t kRefusalsShown = 20;
  ++refused[std::string(call.op_name())];
  if (refusals.size() < kRefusalsShown) refusals.push_back(fmt::format("node {}: {}", call.name(), e.message));
}

}  // namespace ersatz::tools

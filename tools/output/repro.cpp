#include "tools/output/repro.h"

#include <fmt/format.h>

#include <unordered_map>

#include "fake/watch/host_bytes.h"
#include "runtime/tensor/layout.h"
#include "tracer/program/value_record.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

constexpr int64_t kInlineBytes = 4096;       // bytes of one storage; a larger storage is filled from the seed
constexpr int64_t kMostInlineBytes = 16384;  // limit for the bytes of all storages of a program

/// True if the finding may depend on floating-point elements. For most operators, metadata do not depend on them.
bool depends_on_values(const FindingCall& call) {
  const OpEntry& op = call.op;
  for (Tag tag : {Tag::DataDependent, Tag::ScalarRead, Tag::FailsOnValues, Tag::Foreign}) {
    if (op.tags.has(tag)) return true;
  }
  if (!op.rule) return true;
  switch (call.finding.field) {
    case FindingField::Mutation:
    case FindingField::Error:
    case FindingField::Unwritten:
    case FindingField::UndeclaredWrite:
    case FindingField::OutOfBounds:
    case FindingField::Value:
      return true;
    default:
      return false;
  }
}

/// Builds a program that makes one call.
class OneCall {
 public:
  explicit OneCall(const FindingCall& call) : call_(call), values_matter_(depends_on_values(call)) {}

  Program build() {
    if (call_.op.tags.has(Tag::Foreign)) {
      program_.plugins.push_back(call_.op.source);
      program_.foreign_schemas.push_back(to_string(call_.op.schema));
    }
    Node node;
    node.op = program_.add_op(call_.op.name);
    node.name = program_.names.intern(call_.finding.node.empty() ? std::string(call_.op.base()) : call_.finding.node);
    node.source = program_.names.intern(call_.finding.source);
    node.args = program_.add_args(arguments());
    node.results = program_.add_args(results());
    graph().nodes.push_back(node);
    for (GraphValue& v : graph().values) {
      if (v.node != kNone) v.node = 0;
    }
    for (ValueId id : result_values(program_, graph().nodes[0])) {
      if (id == kNone) continue;
      GraphOutput output;
      output.value.kind = Arg::Kind::Value;
      output.value.index = id;
      graph().outputs.push_back(output);
    }
    return std::move(program_);
  }

 private:
  Graph& graph() { return program_.main(); }

  std::vector<Arg> arguments() {
    const std::vector<Argument>& schema = call_.op.schema.arguments;
    std::vector<Arg> args;
    for (size_t i = 0; i < schema.size(); ++i) {
      // A keyword argument that equals its default is left out.
      if (schema[i].keyword_only && schema[i].default_value && call_.args[i] == *schema[i].default_value) continue;
      Arg a = argument(call_.args[i]);
      if (schema[i].keyword_only) a.name = program_.names.intern(schema[i].name);
      args.push_back(a);
    }
    return args;
  }

  Arg argument(const Value& v) {
    if (v.is_tensor()) return input(*v.tensor_impl());
    if (v.is_none()) return {};
    bool has_tensor = false;
    if (v.kind() == Value::Kind::List) {
      for (const Value& item : v.as_list()) has_tensor |= item.is_tensor();
    }
    if (!has_tensor) return program_.add_literal(v);
    std::vector<Arg> items;
    for (const Value& item : v.as_list()) items.push_back(argument(item));
    return program_.add_list(items);
  }

  /// Returns the input for a tensor argument. A tensor object that occurs twice has one input.
  Arg input(const TensorImpl& t) {
    const size_t number = flat_inputs_.size();
    Arg arg;
    arg.kind = Arg::Kind::Value;
    if (auto at = inputs_.find(&t); at != inputs_.end()) {
      arg.index = at->second;
      flat_inputs_.push_back(arg.index);
      return arg;
    }
    StoredTensor stored;
    stored.name = fmt::format("x{}", inputs_.size());
    stored.meta = number < call_.metas_before.size() ? call_.metas_before[number] : t.meta;
    stored.payload = payload(*t.storage, stored.meta);
    GraphValue value;
    value.name = program_.names.intern(stored.name);
    value.kind = ValueKind::Tensor;
    value.record = program_.add_meta(stored.meta);
    arg.index = program_.add_value(graph(), value);
    stored.meta.device = kCPU;
    GraphInput in;
    in.value = arg.index;
    in.stored = program_.weights.add_tensor(std::move(stored));
    graph().inputs.push_back(in);
    inputs_.emplace(&t, arg.index);
    flat_inputs_.push_back(arg.index);
    return arg;
  }

  uint32_t payload(const Storage& storage, const TensorMeta& meta) {
    if (auto at = payloads_.find(storage.id()); at != payloads_.end()) return at->second;
    Payload p;
    p.nbytes = storage.nbytes().is_int() ? storage.nbytes().as_int() : 0;
    // Integers and bools may be indices, lengths or masks, so the result's metadata may depend on them. `whole` is
    // false if the call left its argument with fewer bytes than the metadata need.
    const bool whole = !meta.is_symbolic() && storage_bytes_needed(meta).as_int() <= p.nbytes;
    const bool kept = whole && (values_matter_ || is_integral(meta.dtype));
    if (kept && storage.has_bytes() && p.nbytes <= std::min(kInlineBytes, kMostInlineBytes - inline_bytes_)) {
      inline_bytes_ += p.nbytes;
      const HostBytes bytes(storage);
      p.kind = Payload::Kind::Inline;
      p.bytes.assign(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(p.nbytes));
      if (p.nbytes % item_size(meta.dtype) == 0) p.as = meta.dtype;
    }
    return payloads_.emplace(storage.id(), program_.weights.add_payload(std::move(p))).first->second;
  }

  std::vector<Arg> results() {
    std::vector<Arg> args;
    size_t flat = 0;
    size_t count = std::max({call_.facts.size(), call_.predicted.size(), call_.observed.size()});
    const std::vector<Argument>& returns = call_.op.schema.returns;
    for (size_t r = 0; r < returns.size(); ++r) {
      if (!returns[r].type.is_list()) {
        args.push_back(result(flat++));
        continue;
      }
      size_t after = returns.size() - r - 1;
      std::vector<Arg> items;
      while (flat + after < count) items.push_back(result(flat++));
      args.push_back(program_.add_result_list(items));
    }
    return args;
  }

  Arg result(size_t flat) {
    GraphValue value;
    value.name = program_.names.intern(fmt::format("r{}", flat));
    value.kind = ValueKind::Tensor;
    value.node = 0;
    if (flat < call_.facts.size()) {
      const ResultFacts& facts = call_.facts[flat];
      if (const auto& truth = facts.eager ? facts.eager : facts.record) value.record = program_.add_meta(*truth);
      if (facts.number) say_number(*facts.number, value);
      const auto argument = static_cast<size_t>(std::max(facts.alias.argument, 0));
      if (facts.alias.kind == AliasFact::Kind::Argument && argument < flat_inputs_.size()) {
        value.alias = flat_inputs_[argument];
      }
    }
    Arg arg;
    arg.kind = Arg::Kind::Value;
    arg.index = program_.add_value(graph(), value);
    return arg;
  }

  void say_number(const Value& number, GraphValue& value) {
    const ValueKind kind = value_kind(number);
    if (kind == ValueKind::Object) return;  // the text form cannot hold a complex number as the recorded result
    value.kind = kind;
    value.record = program_.add_literal(number).index;
  }

  const FindingCall& call_;
  const bool values_matter_;
  Program program_;
  int64_t inline_bytes_ = 0;
  std::vector<ValueId> flat_inputs_;  // for each flat tensor argument, its input
  std::unordered_map<const TensorImpl*, ValueId> inputs_;
  std::unordered_map<uint64_t, uint32_t> payloads_;
};

}  // namespace

std::string print_repro(const FindingCall& call) {
  try {
    return print_program(OneCall(call).build());
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    return "";  // a tensor does not fit its storage after the call
  }
}

}  // namespace ersatz::tools

#include "tracer/run/tagged_call.h"

#include "runtime/base/error.h"
#include "runtime/op/clone_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/slice_tags.h"
#include "runtime/op/tagged_op.h"

namespace ersatz {
namespace {

Value call_one(const OpEntry& op, std::initializer_list<Value> args) {
  return std::move(call(op, std::span<const Value>(args.begin(), args.size()))[0]);
}
}  // namespace

Value clone_of(const Value& v) {
  static const OpEntry& clone = op_with_tag(kCloneTag, "clones");
  return v.is_tensor() ? call_one(clone, {v}) : v;
}
Value row_major_copy(const Value& v) {
  static const OpEntry& clone = op_with_tag(kCloneTag, "clones");
  const std::pair<std::string, Value> format("memory_format", Value(MemoryFormat::Contiguous));
  return std::move(call(clone, std::span<const Value>(&v, 1), std::span(&format, 1))[0]);
}
Value slice_of(const Value& tensor, const SymInt& index) {
  static const OpEntry& select = op_with_tag(kSelectTag, "selects");
  return call_one(select, {tensor, Value(int64_t(0)), Value(index)});
}
Value zeros_like(const Value& tensor, const DimVec& sizes) {
  static const OpEntry& zeros = op_with_tag(kZerosAlikeTag, "makes zeros");
  return call_one(zeros, {tensor, Value(sizes)});
}
Value unknown_like(const Value& v) {
  static const OpEntry& empty = op_with_tag(kEmptyAlikeTag, "makes tensors with strides");
  if (!v.is_tensor()) return v;
  const TensorMeta& meta = v.tensor_impl()->meta;
  return call_one(empty, {v, Value(meta.sizes), Value(meta.strides)});
}
std::optional<bool> truth_of(const Value& pred) {
  static const OpEntry& item = op_with_tag(kItemTag, "reads numbers");
  try {
    const Value number = pred.is_tensor() ? call_one(item, {pred}) : pred;
    return number.kind() == Value::Kind::Bool ? number.as_bool() : number.as_double() != 0;
  } catch (const Error& e) {
    if (e.kind != ErrorKind::DataDependentOutput && e.kind != ErrorKind::GuardOnDataDependent) throw;
    return std::nullopt;
  }
}

Value stack_of(std::span<const Value> slices) {
  static const OpEntry& stack = op_with_tag(kStackTag, "stacks");
  return slices[0].is_tensor() ? call_one(stack, {Value::list(slices), Value(int64_t(0))}) : slices[0];
}

}  // namespace ersatz

// Constructors of tensors that ersatz does not have: known, so that a call of one is told what is missing and why.
#include "runtime/op/registry.h"

namespace ersatz::op_unsupported {
namespace {

constexpr Schema kUnsupportedNames{"aten::{}.names({}, *, Dimname[]? names, {}{}) -> Tensor"};
constexpr Schema kNestedTensorFromMask{
    "aten::_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor"};
constexpr Schema kNestedViewFromBuffer{
    "aten::_nested_view_from_buffer(Tensor(a) self, Tensor nested_size, Tensor nested_strides, Tensor offsets) -> "
    "Tensor(a)"};
constexpr Schema kNestedViewFromBufferCopy{
    "aten::_nested_view_from_buffer_copy(Tensor self, Tensor nested_size, Tensor nested_strides, Tensor offsets) -> "
    "Tensor"};

[[noreturn]] void refuse(RuleCall& call, std::string_view words, std::string_view suggestion) {
  Error e(ErrorKind::UnsupportedOperator, ErrorFamily::NotImplemented,
          fmt::format("{}: {} [{}.NYI]", call.op.name, words, call.op.base()));
  e.op = call.op.base();
  e.label = fmt::format("{}.NYI", call.op.base());
  e.suggestion = suggestion;
  throw e;
}

void named_rule(RuleCall& call) { refuse(call, "named tensors are not supported", "leave the names out"); }
void nested_rule(RuleCall& call) {
  refuse(call, "does not support strided NestedTensor", "pad the tensors to one size, or call with each by itself");
}

constexpr const char* kOptions =
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None";

}  // namespace

void register_ops(Registry& r) {
  const auto named = [&](std::string_view base, std::string_view first, std::string_view last, std::string sample) {
    r.add(kUnsupportedNames.with(base, first, kOptions, last))
        .tag(Tag::Factory)
        .with_rule(named_rule)
        .refuses("NYI", sample + ", names=None");
  };
  named("empty", "int[] size", ", MemoryFormat? memory_format=None", "[2]");
  named("full", "int[] size, Scalar fill_value", "", "[2], 1");
  for (const char* base : {"ones", "zeros"}) named(base, "int[] size", "", "[2]");
  for (const char* base : {"rand", "randn"}) named(base, "SymInt[] size", "", "[2]");

  r.add(kNestedTensorFromMask).with_rule(nested_rule).refuses("NYI", "f32[2,3,4], bool[2,3]");
  r.add(kNestedViewFromBuffer)
      .tag(Tag::View)
      .with_rule(nested_rule)
      .refuses("NYI", "f32[6], i64[2,1], i64[2,1], i64[2]");
  r.add(kNestedViewFromBufferCopy).with_rule(nested_rule).refuses("NYI", "f32[6], i64[2,1], i64[2,1], i64[2]");
}

}  // namespace ersatz::op_unsupported

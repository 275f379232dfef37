// Constructors of named, nested and sparse tensors, which ersatz does not support. They are registered so that a call's
// error says which feature is missing and why. This file also registers the names of all operators that are refused for
// the same reasons.
#include "kernels/unsupported.h"
#include "runtime/op/refused_names.h"
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

constexpr Schema kToSparse{"aten::{}.sparse_dim(Tensor self, int sparse_dim) -> Tensor"};

struct Reason {
  std::string_view words, suggestion;
};
constexpr Reason kSparse{"sparse layouts are not supported", "leave the tensor dense"};
constexpr Reason kNested{"does not support strided NestedTensor",
                         "pad the tensors to one size, or call with each by itself"};
constexpr Reason kQuantised{"quantised dtypes are not supported",
                            "keep the numbers as integers, with scale and zero point"};
constexpr Reason kFakeQuantised{"quantisation of this kind is not simulated",
                                "call fake_quantize_per_tensor_affine, or round, clamp and scale"};
constexpr Reason kBlocked{"layouts of a library's own are not supported",
                          "call the operator of that name on dense tensors"};
constexpr Reason kComplexHalf{"there is no complex dtype of half precision", "convert to complex64: cfloat"};
constexpr Reason kEightBits{"floats of 8 bits are not supported",
                            "keep them in bf16 or f16, and multiply by the scales"};
constexpr Reason kElsewhere{"this is another backend's form of an operator", "call the operator without the prefix"};
constexpr Reason kNoKernel{"PyTorch has no kernel for dense tensors either", "call the operators that it stands for"};
constexpr Reason kGradients{"gradients are not recorded", "call the backward operators, as joint graphs do"};
constexpr Reason kOwnTests{"this is an operator of PyTorch's own tests", "leave the call out"};
constexpr Reason kTransform{"there are no tensors inside of a transform", "call with the batch as a dim"};
constexpr Reason kLibraryState{"the state of a library is not kept", "call the operator without the library's name"};
constexpr Reason kOtherStreams{"this generator's numbers are not here", "draw with rand, randn or randint"};
constexpr Reason kNotRecorded{"a program's tensors have no such property", "leave the call out"};
constexpr Reason kData{"a tensor's data is not exchanged", "call set_.source_Tensor"};
constexpr Reason kStorage{"storages are no arguments", "pass a tensor on the storage, as set_.source_Tensor takes it"};
constexpr Reason kSizesInTensor{"sizes in a tensor are not read", "reshape with numbers or symbols"};
constexpr Reason kStream{"streams are no arguments", "leave the call out"};
constexpr Reason kPlanCache{"there is no cache of plans for transforms", "leave the call out"};
constexpr Reason kOutside{"operators neither read files nor print", "do it before or behind the program"};
constexpr Reason kDistributed{"only the functional collectives have rules",
                              "call those of torch.distributed._functional_collectives"};

void refuse(RuleCall& call, const Reason& why) {
  refuse_always(call, ErrorKind::UnsupportedOperator, why.words, why.suggestion);
}

void named_rule(RuleCall& call) { refuse(call, {"named tensors are not supported", "leave the names out"}); }
void nested_rule(RuleCall& call) { refuse(call, kNested); }

void sparse_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kToSparse["self"]);
  const int64_t dims = call.integer(kToSparse["sparse_dim"]);
  call.require(dims <= self.dim() && (dims > 0 || (dims == 0 && self.dim() == 0)), "C1",
               "expects 1 to {} sparse dims, or none of a tensor without dims: got {}", self.dim(), dims);
  refuse(call, kSparse);
}

constexpr const char* kOptions =
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None";

}  // namespace

void register_ops(Registry& r) {
#define REFUSED_NAME(pattern, what) refuse_name({pattern, std::string(k##what.words), std::string(k##what.suggestion)});
#include "kernels/creation/unsupported_names.def"
#undef REFUSED_NAME
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

  for (const char* name : {"to_sparse", "_to_sparse"}) {
    r.add(kToSparse.with(name)).with_rule(sparse_rule).refuses("NYI", "f32[2,3], 1").refuses("C1", "f32[2,3], 3");
  }
  r.add(kNestedTensorFromMask).with_rule(nested_rule).refuses("NYI", "f32[2,3,4], bool[2,3]");
  r.add(kNestedViewFromBuffer)
      .tag(Tag::View)
      .with_rule(nested_rule)
      .refuses("NYI", "f32[6], i64[2,1], i64[2,1], i64[2]");
  r.add(kNestedViewFromBufferCopy).with_rule(nested_rule).refuses("NYI", "f32[6], i64[2,1], i64[2,1], i64[2]");
}

}  // namespace ersatz::op_unsupported

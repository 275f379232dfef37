#include "kernels/shape/repeat_interleave.h"

#include "kernels/indexing/index_select.h"
#include "kernels/own_dtype.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/conjugate.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/squeeze.h"
#include "kernels/written_elements.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_repeat_interleave {

ReturningKernel run_cpu, out_cpu;

namespace {

void check_repeats(const RuleCall& call) {
  const TensorMeta& repeats = call.meta(kOfRepeats["repeats"]);
  call.require_dtype(repeats.dtype, kIntegers);
  call.require(repeats.dim() == 1, "C1", "expects a vector: repeats are {}", repeats);
}

void check_out(const RuleCall& call) {
  check_repeats(call);
  require_own_dtype(call, kRepeatInterleaveTensorOut["out"], call.meta(kRepeatInterleaveTensorOut["repeats"]).dtype);
  require_own_elements(call, "overlap", kRepeatInterleaveTensorOut["out"]);
}

/// Returns the metadata of the vector of indices. Its size is `output_size` if given, else it depends on data. Returns
/// nullopt for a negative `output_size`: the kernel refuses it, because repeats cannot have a negative sum.
std::optional<TensorMeta> indices(const RuleCall& call) {
  const bool nothing = size_eq(call.meta(kOfRepeats["repeats"]).numel(), 0);
  std::optional<SymInt> size;
  if (!call.has(kOfRepeats["output_size"])) {
    size = call.size_of_data({.max = nothing ? SymInt(0) : SymInt(INT64_MAX)});
  } else if (const SymInt promised = call.sym(kOfRepeats["output_size"]);
             promised.is_symbolic() || promised.as_int() >= 0) {
    size = nothing ? SymInt(0) : promised;
  }
  if (!size) return std::nullopt;
  return TensorMeta(call.meta(kOfRepeats["repeats"]).dtype, std::span(&*size, 1), call.device);
}

void sized_rule(RuleCall& call) {
  check_repeats(call);
  if (std::optional<TensorMeta> out = indices(call)) call.out.fresh(std::move(*out));
}

void sized_out_rule(RuleCall& call) {
  check_out(call);
  if (const std::optional<TensorMeta> result = indices(call))
    answer_out(call, *result, kRepeatInterleaveTensorOut["out"], kGeneratedForm);
}

/// The tensor whose slices are repeated, and their dim. If the call has no `dim`, the tensor is flattened.
struct Repeated {
  Tensor self;
  int64_t dim;
};
Repeated repeated(const CompositeCall& call) {
  static constexpr Schemas kArgs{kRepeatInterleaveSelfTensor, kRepeatInterleaveSelfInt};
  const Tensor self = call.tensor(kArgs["self"]);
  if (!call.has(kArgs["dim"])) return {ops::flatten(self), 0};
  if (self.dim() == 0)
    call.refuse(ErrorFamily::Index, "dim", "a tensor without dims has no dim {}", call.integer(kArgs["dim"]));
  return {self, call.wrap_dim(call.integer(kArgs["dim"]), self.dim())};
}

void by_tensor(CompositeCall& call) {
  auto [self, dim] = repeated(call);
  Tensor repeats = call.tensor(kRepeatInterleaveSelfTensor["repeats"]);
  const SymInt size[] = {self.sizes()[static_cast<size_t>(dim)]};
  call.require(repeats.dim() <= 1, "C2", "expects repeats of one dim at most: they are {}", repeats.meta());
  if (repeats.dim() == 0 || size_eq(repeats.sizes()[0], 1)) {
    const SymInt one[] = {1};
    repeats = ops::expand(ops::reshape(repeats, one), size);
  }
  call.require(check_eq(repeats.sizes()[0], size[0]), "C2",
               "expects one repeat or one for each slice of dim {}: repeats are {}, self is {}", dim, repeats.meta(),
               self.meta());
  // The selected slices are copied without applying lazy bits, so the bits are set again on the result.
  const bool conj = self.meta().conj, neg = self.meta().neg;
  if (conj) self = ops::_conj(self);
  if (neg) self = ops::_neg_view(self);
  const Tensor index =
      call_op<"aten.repeat_interleave.Tensor">(repeats, call[kRepeatInterleaveSelfTensor["output_size"]]);
  const bool selects = index.dtype() == DType::I32 || index.dtype() == DType::I64;
  Tensor result = ops::index_select(self, dim, selects ? index : ops::to(index, DType::I64));
  if (conj) result = ops::_conj(result);
  call.returns(neg ? ops::_neg_view(result) : result);
}

void by_number(CompositeCall& call) {
  const auto [self, dim] = repeated(call);
  const SymInt repeats = call.sym(kRepeatInterleaveSelfInt["repeats"]), size = self.sizes()[static_cast<size_t>(dim)];
  call.require(check_ge(repeats, 0), "C3", "repeats must not be negative: got {}", repeats);
  call.require(!call.has(kRepeatInterleaveSelfInt["output_size"]) ||
                   check_eq(call.sym(kRepeatInterleaveSelfInt["output_size"]), size * repeats),
               "C4", "output_size must be {}: got {}", size * repeats,
               call[kRepeatInterleaveSelfInt["output_size"]].is_none()
                   ? SymInt(0)
                   : call.sym(kRepeatInterleaveSelfInt["output_size"]));
  const Tensor wide = ops::unsqueeze(self, dim + 1);
  DimVec sizes(wide.sizes());
  sizes[static_cast<size_t>(dim) + 1] = repeats;
  call.returns(ops::flatten(ops::clone(ops::expand(wide, sizes), MemoryFormat::Contiguous), dim, dim + 1));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kRepeatInterleaveTensor)
      .tag(Tag::DataDependent | Tag::FailsOnValues)
      .with_rule(sized_rule)
      .cpu_returns(run_cpu)
      .sample("i64[3]", 0, 3)
      .sample("i32[2]{2}", 0, 3)
      .refuses("C1", "i64[]");
  r.add(kRepeatInterleaveTensorOut)
      .tag(Tag::DataDependent | Tag::FailsOnValues)
      .with_rule(sized_out_rule)
      .cpu_returns(out_cpu)
      .sample("i64[3], out=i64[0]", 0, 3)
      .refuses("out_dtype", "i64[3], out=i32[0]");
  r.add(kRepeatInterleaveSelfTensor)
      .tag(Tag::DataDependent | Tag::FailsOnValues)
      .with_composite(by_tensor)
      .sample("f32[2,3], i64[3], 1", 0, 3)
      .sample("f32[2,3], i64[]", 0, 3)
      .refuses("C2", "f32[2,3], i64[2], 1");
  r.add(kRepeatInterleaveSelfInt)
      .with_composite(by_number)
      .sample("f32[2,3]{1,2}, 2")
      .sample("f32[2,3], 2, 1, output_size=6")
      .refuses("C3", "f32[2,3], -1")
      .refuses("C4", "f32[2,3], 2, 1, output_size=7");
}

}  // namespace ersatz::op_repeat_interleave

namespace ersatz::ops {

Tensor repeat_interleave(const Tensor& repeats) {
  return call_op<"aten.repeat_interleave.Tensor">(repeats, std::nullopt);
}
}  // namespace ersatz::ops

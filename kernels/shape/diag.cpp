#include "kernels/shape/diag.h"

#include "kernels/no_flops.h"
#include "kernels/shape/cat_rule.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/unfold.h"
#include "kernels/shape/view.h"
#include "kernels/shape/view_copy.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_diag {

Kernel trace_cpu;

namespace {

void embed_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kDiagEmbed["self"]);
  const int64_t rank = self.dim() + 1;
  const int64_t dim1 = call.wrap_dim(call.integer(kDiagEmbed["dim1"]), rank),
                dim2 = call.wrap_dim(call.integer(kDiagEmbed["dim2"]), rank);
  call.require(dim1 != dim2, "C1", "expects two different dims: {} and {}", dim1, dim2);
  const int64_t offset = call.sym(kDiagEmbed["offset"]).guard_int();
  const SymInt side = self.sizes.back() + SymInt(offset < 0 ? -offset : offset);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  for (int64_t d = 0, from = 0; d < rank; ++d) {
    out.sizes.push_back(d == dim1 || d == dim2 ? side : self.sizes[static_cast<size_t>(from++)]);
  }
  out.strides = contiguous_strides(out.sizes);
}

void diag(CompositeCall& call) {
  const Tensor self = call.tensor(kDiag["self"]);
  const int64_t offset = call.integer(kDiag["diagonal"]);
  call.require(self.dim() == 1 || self.dim() == 2, "C1", "expects one or two dims: self is {}", self.meta());
  call.returns(self.dim() == 1 ? ops::diag_embed(self, offset) : ops::diagonal_copy(self, offset));
}

void diag_out(CompositeCall& call) {
  const Tensor self = call.tensor(kDiag["self"]);
  call.require(self.dim() == 1 || self.dim() == 2, "C1", "expects one or two dims: self is {}", self.meta());
  if (self.dim() == 1) {
    call_op_all<"aten.diag_embed.out">(self, call[kDiag["diagonal"]], int64_t(0), int64_t(1), call[kDiag.out()]);
  } else {
    call_op_all<"aten.diagonal_copy.out">(self, call[kDiag["diagonal"]], int64_t(0), int64_t(1), call[kDiag.out()]);
  }
  call.returns(call[kDiag.out()]);
}

void diagflat(CompositeCall& call) {
  const SymInt all[] = {-1};
  call.returns(
      ops::diag(ops::view(ops::contiguous(call.tensor(kDiagflat["self"])), all), call.integer(kDiagflat["offset"])));
}

void trace_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kTrace["self"]);
  // On the CPU, PyTorch checks that the dtype is not bool before it checks the rank.
  if (self.dim() != 2 && call.device.is_cpu()) call.require_dtype(self.dtype, kNumbers);
  call.require(self.dim() == 2, "C1", "expects a matrix: self is {}", self);
  call.require_dtype(self.dtype, kAllDTypes);
  TensorMeta& out = call.out.fresh();
  out.dtype = is_integral(self.dtype) ? DType::I64 : self.dtype;
  out.device = self.device;
}

/// On the CPU, PyTorch refuses bool before it checks the dtype of `out`.
void trace_out_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kTrace["self"]);
  const bool no_kernel = self.dtype == DType::Bool && call.device.is_cpu();
  if (no_kernel && call.meta(kTrace.out()).dtype != DType::I64) call.require_dtype_first(self.dtype, kNumbers);
  derived_out_rule(call);
}

void block_diag_rule(RuleCall& call) {
  const std::span<const Value> tensors = call.list(kBlockDiag["tensors"]);
  TensorMeta& out = call.out.fresh();
  out.device = call.device;
  SymInt rows = 0, columns = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorMeta& t = tensors[i].tensor_impl()->meta;
    call.require(t.dim() <= 2, "C1", "expects tensors of two dims at most: input {} is {}", i, t);
    rows += t.dim() == 2 ? t.sizes[0] : SymInt(1);
    columns += t.dim() == 0 ? SymInt(1) : t.sizes.back();
  }
  if (tensors.empty()) {
    out.dtype = call.context.default_dtype;
    rows = 1;
  } else {
    out.dtype = joined_dtype(call, tensors);
  }
  out.sizes.push_back(rows);
  out.sizes.push_back(columns);
  out.strides = contiguous_strides(out.sizes);
}

/// Returns the metadata of `t` with dims dim1 and dim2 replaced by their diagonal, which becomes the last dim.
TensorMeta diagonal_of(const TensorMeta& t, size_t dim1, size_t dim2, int64_t offset, SymInt length) {
  TensorMeta out = t;
  out.sizes.clear();
  out.strides.clear();
  for (size_t d = 0; d < t.sizes.size(); ++d) {
    if (d == dim1 || d == dim2) continue;
    out.sizes.push_back(t.sizes[d]);
    out.strides.push_back(t.strides[d]);
  }
  out.sizes.push_back(length);
  out.strides.push_back(t.strides[dim1] + t.strides[dim2]);
  out.offset += offset > 0 ? SymInt(offset) * t.strides[dim2] : SymInt(-offset) * t.strides[dim1];
  return out;
}

void run_embed(KernelCall& call) {
  const Tensor self = call.tensor(kDiagEmbed["self"]);
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  if (self.numel().as_int() == 0) return;
  const auto dim = [&](size_t i) {
    const int64_t d = call.integer(i);
    return static_cast<size_t>(d < 0 ? d + out.dim() : d);
  };
  const TensorMeta to =
      diagonal_of(out.meta(), dim(2), dim(3), call.integer(kDiagEmbed["offset"]), self.sizes().back());
  copy_elements(make_view(out, to), self);
}

void run_block_diag(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  SymInt row = 0, column = 0;
  for (const Value& v : call.list(kBlockDiag["tensors"])) {
    const Tensor t = v.tensor();
    const int64_t rank = t.dim();
    const SymInt rows = rank == 2 ? t.sizes()[0] : SymInt(1), columns = rank == 0 ? SymInt(1) : t.sizes().back();
    if (t.numel().as_int() > 0) {
      TensorMeta block = out.meta(), from = t.meta();
      block.offset += row * block.strides[0] + column * block.strides[1];
      block.sizes = from.sizes;
      if (rank < 2) block.strides.erase(0);
      if (rank < 1) block.strides.erase(0);
      copy_elements(make_view(out, std::move(block)), t);
    }
    row += rows;
    column += columns;
  }
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& embed = r.add(kDiagEmbed)
                       .with_rule(embed_rule)
                       .count_flops(no_flops)
                       .every_device(run_embed)
                       .sample("f32[3]")
                       .sample("f32[2,3], -1")
                       .sample("i64[2,3], 1, 0, 2")
                       .refuses("C1", "f32[3], 0, 1, -1");
  r.add_out(embed, "out", kGeneratedForm);
  OpEntry& diagonal =
      r.add(kDiag).with_composite(diag).sample("f32[3], 1").sample("f32[3,4], -1").refuses("C1", "f32[2,3,4]");
  r.add_out_alike(diagonal, "out")
      .with_composite(diag_out)
      .sample("f32[3], 1, out=f32[0]")
      .sample("f32[3,4], -1, out=f32[0]")
      .refuses("C1", "f32[2,3,4], out=f32[0]");
  r.add(kDiagflat).with_composite(diagflat).sample("f32[2,3]{1,2}, 1").sample("f32[]");
  OpEntry& trace = r.add(kTrace)
                       .with_rule(trace_rule)
                       .cpu(trace_cpu)
                       .sample("f32[3,4]")
                       .sample("bool[3,2]{1,3}")
                       .refuses("C1", "f32[3]");
  r.add_out(trace, "out", kGeneratedForm).with_rule(trace_out_rule);
  OpEntry& block_diag = r.add(kBlockDiag)
                            .with_rule(block_diag_rule)
                            .count_flops(no_flops)
                            .every_device(run_block_diag)
                            .sample("[f32[2,3], i64[2], f32[]]")
                            .refuses("C1", "[f32[2,3,4]]");
  r.add_out(block_diag, "out", kGeneratedForm);
}

}  // namespace ersatz::op_diag

#include "kernels/shape/split.h"

#include "kernels/shape/output_meta.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_split {
namespace {

void add_piece(RuleCall& call, int64_t dim, SymInt start, SymInt length) {
  static constexpr Schemas kArgs{kSplitTensor, kSplitWithSizes, kUnsafeSplitTensor, kUnsafeSplitWithSizes};
  TensorImpl* self = call.tensor(kArgs["self"]);
  TensorMeta& out = start_alias(call, self);
  out.sizes[dim] = length;
  out.offset += start * self->meta.strides[dim];
}

void split_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSplitTensor, kUnsafeSplitTensor};
  const TensorMeta& from = call.meta(kArgs["self"]);
  call.require(from.dim() > 0, "C1", "expects a tensor with dims: self is {}", from);
  const SymInt piece = call.sym(kArgs["split_size"]);
  call.require(check_ge(piece, 0), "C2", "split_size must not be negative: got {}", piece);
  const int64_t dim = call.wrap_dim(call.integer(kArgs["dim"]), from.dim());
  const SymInt size = from.sizes[dim];
  if (size_eq(piece, 0)) {
    call.require(check_eq(size, 0), "C2", "split_size 0 fits only a dim of size 0: dim {} is {}", dim, size);
    return add_piece(call, dim, 0, size);
  }
  // The number of results cannot be a symbol, so guard_int adds a guard on a symbolic size.
  const int64_t count = std::max<int64_t>(floor_div(size + piece - SymInt(1), piece).guard_int(), 1);
  for (int64_t i = 0; i < count; ++i) {
    const SymInt start = SymInt(i) * piece;
    add_piece(call, dim, start, i + 1 < count ? piece : size - start);
  }
}

void split_with_sizes_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSplitWithSizes, kUnsafeSplitWithSizes};
  const TensorMeta& from = call.meta(kArgs["self"]);
  call.require(from.dim() > 0, "C1", "expects a tensor with dims: self is {}", from);
  const std::span<const SymInt> pieces = call.ints(kArgs["split_sizes"]);
  const int64_t dim = call.wrap_dim(call.integer(kArgs["dim"]), from.dim());
  SymInt sum = 0;
  for (SymInt piece : pieces) {
    call.require(check_ge(piece, 0), "C2", "sizes must not be negative: got {}", pieces);
    sum += piece;
  }
  call.require(sym_eq(sum, from.sizes[dim]) || check_eq(sum, from.sizes[dim]), "C3",
               "sizes {} must add up to dim {}: self is {} ({} vs {})", pieces, dim, from, sum, from.sizes[dim]);
  SymInt start = 0;
  for (SymInt piece : pieces) {
    add_piece(call, dim, start, piece);
    start += piece;
  }
}

void unbind_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kUnbindInt["self"]);
  const TensorMeta& from = self->meta;
  call.require_index(from.dim() > 0, "C1", "expects a tensor with dims: self is {}", from);
  const int64_t dim = call.wrap_dim(call.integer(kUnbindInt["dim"]), from.dim());
  const int64_t count = from.sizes[dim].guard_int();
  for (int64_t i = 0; i < count; ++i) {
    TensorMeta& out = start_alias(call, self);
    out.offset += SymInt(i) * from.strides[dim];
    out.sizes.erase(dim);
    out.strides.erase(dim);
  }
}

void chunk(CompositeCall& call) {
  const TensorMeta& from = call.meta(kChunk["self"]);
  call.require(from.dim() > 0, "C1", "expects a tensor with dims: self is {}", from);
  const int64_t chunks = call.integer(kChunk["chunks"]);
  call.require(chunks > 0, "C2", "chunks must be positive: got {}", chunks);
  const int64_t dim = call.integer(kChunk["dim"]);  // traces show `dim` as the caller passed it
  const SymInt size = from.sizes[call.wrap_dim(dim, from.dim())];
  const SymInt piece = floor_div(size + SymInt(chunks - 1), chunks);
  if (size_eq(piece, 0)) {
    // For a dim of size 0, at::chunk returns `chunks` empty pieces, but `split` would return one.
    const DimVec none(static_cast<size_t>(chunks), SymInt(0));
    call.returns(call_op_all<"aten.split_with_sizes.default">(call[kChunk["self"]], none, dim)[0]);
  } else {
    call.returns(call_op_all<"aten.split.Tensor">(call[kChunk["self"]], piece, dim)[0]);
  }
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kSplitTensor)
      .tag(Tag::View)
      .with_rule(split_rule)
      .sample("f32[7,2], 3")
      .refuses("C1", "f32[], 1")
      .refuses("C2", "f32[7], 0");
  r.add(kSplitWithSizes)
      .tag(Tag::View | Tag::Core)
      .with_rule(split_with_sizes_rule)
      .sample("f32[7,2], [3, 0, 4]")
      .refuses("C1", "f32[], [1]")
      .refuses("C2", "f32[7], [8, -1]")
      .refuses("C3", "f32[7], [3, 3]");
  // The unsafe_ forms also return views here, but their schemas declare no alias.
  r.add(kUnsafeSplitTensor)
      .tag(Tag::View)
      .with_rule(split_rule)
      .sample("f32[7,2], 3")
      .refuses("C1", "f32[], 1")
      .refuses("C2", "f32[7], 0");
  r.add(kUnsafeSplitWithSizes)
      .tag(Tag::View)
      .with_rule(split_with_sizes_rule)
      .sample("f32[7,2], [3, 0, 4]")
      .refuses("C1", "f32[], [1]")
      .refuses("C2", "f32[7], [8, -1]")
      .refuses("C3", "f32[7], [3, 3]");
  r.add(kUnbindInt).tag(Tag::View).with_rule(unbind_rule).sample("f32[3,2], 1").refuses("C1", "f32[]");
  r.add(kChunk)
      .tag(Tag::View)
      .with_composite(chunk)
      .sample("f32[7,2], 3")
      .refuses("C1", "f32[], 1")
      .refuses("C2", "f32[7], 0");
}

}  // namespace ersatz::op_split

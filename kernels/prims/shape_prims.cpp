// Prims that view or copy elements. Their dims are numbered from 0.
//
// Constraints, where `prim` is the prim's name:
// [prim.C1] dims are in [0, rank).
#include <algorithm>

#include "kernels/creation/full.h"
#include "kernels/shape/as_strided.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/permute.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/view.h"
#include "kernels/synonyms/the_op.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_shape_prims {
namespace {

/// [as_strided.C1] size and stride have equal lengths.
/// [as_strided.C2] no size, no stride and no offset is negative.
/// [as_strided.C3] size is not empty, because PyTorch's prim does not support 0-d results.
/// [as_strided.C4] the last element is within the storage.
constexpr Schema kAsStrided{
    "prims::as_strided(Tensor(a!) a, SymInt[] size, SymInt[] stride, SymInt storage_offset) -> Tensor(a!)"};
constexpr Schema kAsStridedScatter{
    "prims::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt storage_offset) -> "
    "Tensor"};
/// Returns a view of sizes `shape`, in which dim broadcast_dimensions[i] is dim i of `a`.
/// [broadcast_in_dim.C1] broadcast_dimensions has one dim of the result for each dim of `a`, in ascending order.
/// [broadcast_in_dim.C2] each dim of `a` has size 1, or the size of its dim in the result.
constexpr Schema kBroadcast{
    "prims::broadcast_in_dim(Tensor(a) a, SymInt[] shape, int[] broadcast_dimensions) -> Tensor(a)"};
/// Merges the dims from `start` to `end` into one. `end` is included.
/// [collapse_view.C2] start is at most end.
constexpr Schema kCollapse{"prims::collapse{}(Tensor{} a, int start, int end) -> Tensor{}"};
/// Divides a dim into two dims. The outer one has size `outer_length`.
/// [split_dim.C2] outer_length is positive.
/// [split_dim.C3] outer_length divides the dim's size.
constexpr Schema kSplit{"prims::split_dim(Tensor(a) a, int dim, SymInt outer_length) -> Tensor(a)"};
/// [squeeze.C2] all of `dimensions` have size 1.
constexpr Schema kSqueeze{"prims::squeeze(Tensor(a) a, int[] dimensions) -> Tensor(a)"};
/// [transpose.C1] the permutation has each dim once.
constexpr Schema kTranspose{"prims::transpose(Tensor(a) a, int[] permutation) -> Tensor(a)"};
constexpr Schema kViewOf{"prims::view_of(Tensor(a) a) -> Tensor(a)"};
constexpr Schema kViewOfDtype{"prims::view_of_dtype(Tensor(a) a, ScalarType dtype) -> Tensor(a)"};
/// [reshape.C1] no size is negative.
/// [reshape.C2] the number of elements does not change.
constexpr Schema kReshape{"prims::reshape(Tensor a, SymInt[] shape) -> Tensor"};
constexpr Schema kRev{"prims::rev(Tensor a, int[] dims) -> Tensor"};
/// [cat.C2] `tensors` is not empty, no tensor is 0-d, and all have one rank.
constexpr Schema kCat{"prims::cat(Tensor[] tensors, int dim) -> Tensor"};
constexpr Schema kClone{"prims::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"};
/// [copy_to.C1] a and b have the same number of elements.
constexpr Schema kCopyTo{"prims::copy_to(Tensor(a!) a, Tensor b) -> Tensor(a!)"};
constexpr Schema kDevicePut{"prims::device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor"};
constexpr Schema kFill{"prims::fill(Tensor self, Scalar value) -> Tensor"};
constexpr Schema kResize{"prims::resize(Tensor(a!) a, SymInt[] shape) -> Tensor(a!)"};
constexpr Schema kItem{"prims::item(Tensor a) -> Scalar"};
constexpr Schema kIndexPut{
    "prims::_unsafe_index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> "
    "Tensor(a!)"};

/// Refuses a dim outside [0, rank). A 0-d tensor counts as rank 1.
void require_dim(const CompositeCall& call, SymInt dim, const TensorMeta& of) {
  call.require(check_ge(dim, 0) && check_lt(dim, std::max<int64_t>(of.dim(), 1)), "C1",
               "dims must be counted from 0 and below {}: got {}, the tensor is {}", of.dim(), dim, of);
}

void as_strided(CompositeCall& call) {
  const TensorMeta& a = call.meta(kAsStrided["a"]);
  const std::span<const SymInt> sizes = call.ints(kAsStrided["size"]), strides = call.ints(kAsStrided["stride"]);
  const SymInt offset = call.sym(kAsStrided["storage_offset"]);
  call.require(sizes.size() == strides.size(), "C1", "expects as many strides as sizes: {} vs {}", sizes, strides);
  bool fits = check_ge(offset, 0);
  for (size_t d = 0; d < sizes.size(); ++d) fits = fits && check_ge(sizes[d], 0) && check_ge(strides[d], 0);
  call.require(fits, "C2", "sizes, strides and offset must not be negative: {}, {} and {}", sizes, strides, offset);
  if (sizes.empty()) call.refuse(ErrorFamily::Type, "C3", "expects a size: a is {}", a);
  TensorMeta view = a;
  view.sizes = DimVec(sizes);
  view.strides = DimVec(strides);
  view.offset = offset;
  const SymInt needed = storage_bytes_needed(view), there = call.tensor(kAsStrided["a"]).storage()->nbytes();
  if (check_ne(view.numel(), 0) && !check_le(needed, there)) {
    call.refuse(ErrorFamily::Value, "C4", "the view must stay within the storage: {} bytes vs {}", needed, there);
  }
  call.returns(ops::as_strided(call.tensor(kAsStrided["a"]), sizes, strides, offset));
}

void broadcast(CompositeCall& call) {
  const TensorMeta& a = call.meta(kBroadcast["a"]);
  const std::span<const SymInt> shape = call.ints(kBroadcast["shape"]),
                                dims = call.ints(kBroadcast["broadcast_dimensions"]);
  const int64_t rank = static_cast<int64_t>(shape.size());
  bool ascending = static_cast<int64_t>(dims.size()) == a.dim() && a.dim() <= rank;
  for (size_t i = 0; ascending && i < dims.size(); ++i)
    ascending = check_gt(dims[i], i == 0 ? SymInt(-1) : dims[i - 1]) && check_lt(dims[i], rank);
  call.require(ascending, "C1", "expects a dim of {} for each dim of a, in ascending order: got {}, a is {}", shape,
               dims, a);
  std::vector<bool> from_a(shape.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    const SymInt have = a.sizes[i], want = shape[static_cast<size_t>(dims[i].guard_int())];
    call.require(check_eq(have, 1) || check_eq(have, want), "C2", "dim {} must be 1 or {}: a is {}", i, want, a);
    from_a[static_cast<size_t>(dims[i].guard_int())] = true;
  }
  Tensor view = call.tensor(kBroadcast["a"]);
  for (int64_t d = 0; d < rank; ++d) {
    if (!from_a[static_cast<size_t>(d)]) view = ops::unsqueeze(view, d);
  }
  call.returns(ops::expand(view, shape));
}

/// Returns the sizes of `a`, in which one size replaces dims `start` to `end`: the product of their sizes.
DimVec collapsed(const CompositeCall& call) {
  const TensorMeta& a = call.meta(kCollapse["a"]);
  const int64_t start = call.integer(kCollapse["start"]), end = call.integer(kCollapse["end"]);
  require_dim(call, start, a);
  require_dim(call, end, a);
  if (end < start) call.refuse(ErrorFamily::Value, "C2", "start must be at most end: {} and {}", start, end);
  if (a.dim() == 0) return DimVec{1};
  DimVec sizes;
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (d > start && d <= end) {
      sizes.back() = sizes.back() * a.sizes[d];
    } else {
      sizes.push_back(a.sizes[d]);
    }
  }
  return sizes;
}
void collapse_view(CompositeCall& call) { call.returns(ops::view(call.tensor(kCollapse["a"]), collapsed(call))); }
void reshape(CompositeCall& call) {
  SymInt count = 1;
  for (SymInt size : call.ints(kReshape["shape"])) {
    call.require(check_ge(size, 0), "C1", "sizes must not be negative: got {}", call.ints(kReshape["shape"]));
    count = count * size;
  }
  if (!check_eq(count, call.meta(kReshape["a"]).numel()))
    call.refuse(ErrorFamily::Value, "C2", "sizes {} must hold the elements of a: {}", call.ints(kReshape["shape"]),
                call.meta(kReshape["a"]));
  call.returns(call_op<"aten.clone.default">(
      call_op<"aten.reshape.default">(call[kReshape["a"]], call[kReshape["shape"]]), MemoryFormat::Contiguous));
}
void collapse(CompositeCall& call) {
  call.returns(call_op<"aten.clone.default">(call_op<"aten.reshape.default">(call[kCollapse["a"]], collapsed(call)),
                                             MemoryFormat::Contiguous));
}

void split_dim(CompositeCall& call) {
  const TensorMeta& a = call.meta(kSplit["a"]);
  const SymInt dim = call.sym(kSplit["dim"]), outer = call.sym(kSplit["outer_length"]);
  require_dim(call, dim, a);
  call.require(check_gt(outer, 0), "C2", "outer_length must be above 0: it is {}", outer);
  call.require_index(a.dim() > 0, "C1", "expects a dim to split: a is {}", a);
  const size_t at = static_cast<size_t>(dim.guard_int());
  const SymInt inner = floor_div(a.sizes[at], outer);
  if (!check_eq(inner * outer, a.sizes[at]))
    call.refuse(ErrorFamily::Value, "C3", "outer_length {} must divide dim {}: a is {}", outer, at, a);
  DimVec sizes;
  for (size_t d = 0; d < a.sizes.size(); ++d) {
    if (d == at) sizes.push_back(outer);
    sizes.push_back(d == at ? inner : a.sizes[d]);
  }
  call.returns(ops::view(call.tensor(kSplit["a"]), sizes));
}

void squeeze(CompositeCall& call) {
  const TensorMeta& a = call.meta(kSqueeze["a"]);
  for (SymInt d : call.ints(kSqueeze["dimensions"])) {
    require_dim(call, d, a);
    call.require_index(a.dim() > 0, "C1", "expects a dim to squeeze: a is {}", a);
    call.require(check_eq(a.sizes[static_cast<size_t>(d.guard_int())], 1), "C2",
                 "dim {} must have one element: a is {}", d, a);
  }
  call.returns(ops::squeeze(call.tensor(kSqueeze["a"]), call.ints(kSqueeze["dimensions"])));
}

void transpose(CompositeCall& call) {
  const TensorMeta& a = call.meta(kTranspose["a"]);
  const std::span<const SymInt> order = call.ints(kTranspose["permutation"]);
  std::vector<bool> seen(static_cast<size_t>(a.dim()));
  bool each_once = static_cast<int64_t>(order.size()) == a.dim();
  for (SymInt d : order) {
    if (!each_once) break;
    each_once = check_ge(d, 0) && check_lt(d, a.dim()) && !seen[static_cast<size_t>(d.guard_int())];
    if (each_once) seen[static_cast<size_t>(d.guard_int())] = true;
  }
  if (!each_once) call.refuse(ErrorFamily::Value, "C1", "expects each dim once: got {}, a is {}", order, a);
  call.returns(ops::permute(call.tensor(kTranspose["a"]), order));
}

void view_of(CompositeCall& call) { call.returns(ops::view(call.tensor(kViewOf["a"]), call.meta(kViewOf["a"]).sizes)); }

void rev(CompositeCall& call) {
  for (SymInt d : call.ints(kRev["dims"])) require_dim(call, d, call.meta(kRev["a"]));
  call_the_op<"aten.flip.default">(call);
}

void cat(CompositeCall& call) {
  const std::span<const Value> tensors = call.list(kCat["tensors"]);
  call.require_index(!tensors.empty(), "C2", "expects a tensor{}", "");
  const TensorMeta& first = tensors[0].tensor_impl()->meta;
  for (const Value& t : tensors) {
    const TensorMeta& meta = t.tensor_impl()->meta;
    call.require(meta.dim() == first.dim(), "C2", "tensors must have as many dims as the first: they are {} and {}",
                 first, meta);
  }
  const int64_t dim = call.integer(kCat["dim"]);
  call.require(dim >= 0, "C1", "dims must be counted from 0: got {}", dim);
  call.require_index(dim < first.dim(), "C1", "dims must be below {}: got {}, the first tensor is {}", first.dim(), dim,
                     first);
  call_the_op<"aten.cat.default">(call);
}

void copy_to(CompositeCall& call) {
  const TensorMeta &a = call.meta(kCopyTo["a"]), &b = call.meta(kCopyTo["b"]);
  call.require(check_eq(a.numel(), b.numel()), "C1", "expects as many elements: a is {}, b is {}", a, b);
  call_the_op<"aten.copy_.default">(call);
}

void device_put(CompositeCall& call) {
  call.returns(call_op<"aten.to.device">(call[kDevicePut["a"]], call[kDevicePut["device"]],
                                         call.meta(kDevicePut["a"]).dtype, call[kDevicePut["non_blocking"]], false,
                                         Value()));
}

/// PyTorch's prim calls index_put twice, so with `accumulate` the values are added twice.
void index_put(CompositeCall& call) {
  const auto put = [&] {
    return call_op<"aten._index_put_impl_.default">(call[kIndexPut["self"]], call[kIndexPut["indices"]],
                                                    call[kIndexPut["values"]], call[kIndexPut["accumulate"]], true);
  };
  put();
  call.returns(put());
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kAsStrided)
      .tag(Tag::View)
      .made_of(as_strided)
      .sample("f32[4,6], [2, 3], [1, 2], 5")
      .refuses("C1", "f32[4], [2], [1, 1], 0")
      .refuses("C2", "f32[4], [2], [-1], 0")
      .refuses("C3", "f32[4], [], [], 0")
      .refuses("C4", "f32[4], [5], [1], 0");
  r.add(kAsStridedScatter)
      .made_of(call_the_op<"aten.as_strided_scatter.default">)
      .sample("f32[4,6], f32[2,3], [2, 3], [1, 2], 5");
  r.add(kBroadcast)
      .tag(Tag::View)
      .made_of(broadcast)
      .sample("f32[2,1], [4, 2, 3], [1, 2]")
      .refuses("C1", "f32[2], [2, 2], [2]")
      .refuses("C2", "f32[2], [3], [0]");
  r.add(kCollapse.with("_view", "(a)", "(a)"))
      .tag(Tag::View)
      .made_of(collapse_view)
      .sample("f32[2,3,4], 0, 1")
      .refuses("C1", "f32[2,3], 0, -1")
      .refuses("C2", "f32[2,3], 1, 0");
  r.add(kCollapse.with("", "", "")).made_of(collapse).sample("f32[2,3,4]{1,2,6}, 0, 1").refuses("C1", "f32[2,3], 0, 2");
  r.add(kSplit)
      .tag(Tag::View)
      .made_of(split_dim)
      .sample("f32[6,4], 0, 2")
      .refuses("C1", "f32[6], -1, 2")
      .refuses("C2", "f32[6], 0, 0")
      .refuses("C3", "f32[6], 0, 4");
  r.add(kSqueeze)
      .tag(Tag::View)
      .made_of(squeeze)
      .sample("f32[2,1,3,1], [1, 3]")
      .refuses("C1", "f32[2,1], [-1]")
      .refuses("C2", "f32[2,1], [0]");
  r.add(kTranspose)
      .tag(Tag::View)
      .made_of(transpose)
      .sample("f32[2,3,4], [2, 0, 1]")
      .refuses("C1", "f32[2,3], [0, -1]");
  r.add(kViewOf).tag(Tag::View).made_of(view_of).sample("f32[2,3]{1,2}");
  r.add(kViewOfDtype).tag(Tag::View).made_of(call_the_op<"aten.view.dtype">).sample("f32[2,4], i16");
  r.add(kReshape)
      .made_of(reshape)
      .sample("f32[2,3]{1,2}, [6]")
      .refuses("C1", "f32[2], [-1]")
      .refuses("C2", "f32[2], [3]");
  r.add(kRev).made_of(rev).sample("f32[2,3]{1,2}, [0, 1]").refuses("C1", "f32[2,3], [-1]");
  r.add(kCat)
      .made_of(cat)
      .sample("[f32[2,3], f32[1,3]], 0")
      .refuses("C1", "[f32[2,3], f32[2,3]], -1")
      .refuses("C2", "[f32[2,3], f32[0]], 0");
  r.add(kClone).made_of(call_the_op<"aten.clone.default">).sample("f32[2,3]{1,2}");
  r.add(kCopyTo).made_of(copy_to).sample("f32[2,3], i64[2,3]{1,2}").refuses("C1", "f32[2,3], f32[3]");
  r.add(kDevicePut).made_of(device_put).sample("f32[2,3]{1,2}, cpu");
  r.add(kFill).made_of(call_the_op<"aten.fill.Scalar">).sample("f32[2,3]{1,2}, 2");
  r.add(kResize).tag(Tag::InplaceView).made_of(call_the_op<"aten.resize_.default">).sample("f32[2,3], [2, 2]");
  r.add(kItem).tag(Tag::ScalarRead).made_of(call_the_op<"aten.item.default">).sample("f32[]");
  r.add(kIndexPut).made_of(index_put).sample("f32[4,3], [i64[2]], f32[2,3]", 0, 3);
}

}  // namespace ersatz::op_shape_prims

#include "kernels/indexing/index_plan.h"

#include "kernels/pointwise/iterator_layout.h"
#include "runtime/op/op_entry.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

bool is_mask(DType t) { return t == DType::Bool || t == DType::U8; }

/// Checks each index. Also checks that the indices together select from no more dims than self has. RETURNS: true if
/// one is a mask.
bool check_each(const RuleCall& call, const TensorMeta& self, const IndexMetas& indices) {
  bool masks = false, any = false;
  int64_t at = 0;
  require_dims_for(call, indices.size(), self);
  for (const TensorMeta* known : indices) {
    if (!known) {
      ++at;
      continue;
    }
    const TensorMeta& index = *known;
    const bool mask = is_mask(index.dtype);
    any = any || !mask || index.dim() > 0;
    call.require_index(mask || index.dtype == DType::I64 || index.dtype == DType::I32, "C1",
                       "indices must be i64, i32, u8 or bool: {}", index);
    call.require(index.device.is_cpu() || index.device == self.device, "device",
                 "indices must be on the cpu or on the device of self: {} and {}", index, self);
    if (!mask) {
      ++at;
      continue;
    }
    masks = true;
    for (int64_t d = 0; d < index.dim(); ++d, ++at) {
      call.require_index(at < self.dim(), "C2", "too many indices for {}", self);
      call.require_index(check_eq(index.sizes[d], self.sizes[at]), "C3",
                         "a mask must have the sizes that it indexes: {} and {} (dim {}: {} vs {})", index, self, at,
                         index.sizes[d], self.sizes[at]);
    }
  }
  // ATen refuses to read with an empty list (IndexError). For other lists without an index for any dim, ATen's
  // TensorIterator raises an error (RuntimeError). The TensorIterator only runs if self has an element.
  const bool reads_all = indices.empty() && call.op.schema.find_argument("values") < 0;
  if (!any && (reads_all || !size_eq(self.numel(), 0)))
    call.refuse(reads_all ? ErrorFamily::Index : ErrorFamily::Runtime, "C2",
                "at least one index must be a tensor that selects along a dim: self is {}", self);
  // ATen counts the indices of the list before it converts masks to positions, and does not count again. It therefore
  // does not refuse positions for dims that self does not have.
  call.require_index(at <= self.dim(), masks ? "C2.or_any" : "C2", "too many indices ({}) for {}", at, self);
  return masks;
}

}  // namespace

void require_dims_for(const RuleCall& call, size_t indices, const TensorMeta& self) {
  call.require_index(static_cast<int64_t>(indices) <= self.dim(), "C2", "too many indices ({}) for {}", indices, self);
}

IndexMetas index_metas(std::span<const Value> indices) {
  IndexMetas metas;
  for (const Value& v : indices) metas.push_back(v.is_none() ? nullptr : &v.tensor_impl()->meta);
  return metas;
}

IndexPlan plan_indices(const RuleCall& call, const TensorMeta& self, const IndexMetas& indices) {
  IndexPlan plan;
  plan.has_mask = check_each(call, self, indices);
  if (plan.has_mask) return plan;
  InlineVec<const TensorMeta*, 5> tensors;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d]) continue;
    plan.indexed.push_back(static_cast<int64_t>(d));
    tensors.push_back(indices[d]);
  }
  if (tensors.empty()) {  // self is empty, and all of it is selected
    plan.sizes = self.sizes;
    for (int64_t d = 0; d < self.dim(); ++d) plan.kept.push_back(d);
    return plan;
  }
  BroadcastMismatch mismatch;
  const bool broadcast = broadcast_sizes(tensors, plan.index_shape, mismatch);
  call.require_index(broadcast, "C4", "indices must broadcast together: {} does not fit (dim {}: {} vs {})",
                     *tensors[mismatch.operand], mismatch.dim, mismatch.have, mismatch.expected);
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (static_cast<size_t>(d) >= indices.size() || !indices[static_cast<size_t>(d)]) plan.kept.push_back(d);
  }
  bool picks_nothing = false;
  for (SymInt s : plan.index_shape) picks_nothing = picks_nothing || (s.is_int() && s.as_int() == 0);
  for (int64_t d : plan.indexed) {
    const SymInt size = self.sizes[static_cast<size_t>(d)];
    call.require_index(picks_nothing || !size.is_int() || size.as_int() != 0, "C5",
                       "dim {} has size 0, nothing can be picked from it: self is {}", d, self);
  }
  const int64_t first = plan.indexed[0], last = plan.indexed.back();
  const bool adjacent = last - first + 1 == static_cast<int64_t>(plan.indexed.size());
  plan.front = adjacent ? static_cast<size_t>(first) : 0;
  for (size_t k = 0; k < plan.front; ++k) plan.sizes.push_back(self.sizes[static_cast<size_t>(plan.kept[k])]);
  for (SymInt s : plan.index_shape) plan.sizes.push_back(s);
  for (size_t k = plan.front; k < plan.kept.size(); ++k) {
    plan.sizes.push_back(self.sizes[static_cast<size_t>(plan.kept[k])]);
  }
  return plan;
}

void set_picked_layout(const IndexPlan& plan, const TensorMeta& self, const IndexMetas& indices, TensorMeta& out) {
  // The operands of ATen's TensorIterator are self, with stride 0 in the index dims, and each index tensor, with size 1
  // in the kept dims.
  InlineVec<TensorMeta, 4> operands;
  TensorMeta& source = operands.emplace_back();
  source.dtype = self.dtype;
  source.device = self.device;
  source.sizes = plan.sizes;
  for (size_t k = 0; k < plan.front; ++k) source.strides.push_back(self.strides[static_cast<size_t>(plan.kept[k])]);
  for (size_t k = 0; k < plan.index_shape.size(); ++k) source.strides.push_back(0);
  for (size_t k = plan.front; k < plan.kept.size(); ++k) {
    source.strides.push_back(self.strides[static_cast<size_t>(plan.kept[k])]);
  }
  const size_t rank = plan.index_shape.size();
  DimVec wide(plan.front, SymInt(1));
  for (SymInt n : plan.index_shape) wide.push_back(n);
  for (size_t k = plan.front; k < plan.kept.size(); ++k) wide.push_back(1);
  bool equal_strides = true;
  for (int64_t d : plan.indexed) {
    const TensorMeta& index = *indices[static_cast<size_t>(d)];
    DimVec strides;
    const size_t added = rank - index.sizes.size();
    for (size_t k = 0; k < rank; ++k) {
      const bool own = k >= added && sym_eq(index.sizes[k - added], plan.index_shape[k]);
      strides.push_back(own ? index.strides[k - added] : SymInt(0));
    }
    // ATen expands an index before it converts or moves it, so the copy has the expanded sizes.
    if (index.dtype != DType::I64 || index.device != self.device) {
      strides = preserved_strides(plan.index_shape, strides);
    }
    // ATen reshapes the index to the result's rank. The added dims of size 1 have the strides of that view.
    TensorMeta& operand = operands.emplace_back();
    operand.dtype = DType::I64;
    operand.device = self.device;
    operand.sizes = wide;
    operand.strides = *view_strides(plan.index_shape, strides, wide);
    equal_strides = equal_strides && sym_eq(operand.strides, operands[1].strides);
  }
  if (self.device.is_cuda() && !equal_strides) {
    // ATen's CUDA kernel requires that all indices have one layout. If they differ, ATen makes each index row-major.
    for (size_t i = 1; i < operands.size(); ++i) {
      if (!is_contiguous(operands[i])) operands[i].strides = contiguous_strides(wide);
    }
  }
  InlineVec<const TensorMeta*, 5> pointers;
  for (const TensorMeta& m : operands) pointers.push_back(&m);
  BroadcastMismatch unused;
  iterator_layout(pointers, std::nullopt, out, unused);
}

}  // namespace ersatz

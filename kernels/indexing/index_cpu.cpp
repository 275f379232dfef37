#include "kernels/indexing/index.h"

#include <algorithm>

#include "kernels/indexing/index_call.h"
#include "kernels/indexing/masked_positions.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_index {
namespace {

/// For each position of the broadcast indices, returns the offset of the selected element in self, counted in elements.
std::vector<int64_t> picked_offsets(const KernelCall& call, const IndexPlan& plan, const TensorMeta& self,
                                    std::span<const Value> indices) {
  int64_t count = 1;
  for (SymInt s : plan.index_shape) count *= s.as_int();
  std::vector<int64_t> offsets(static_cast<size_t>(count), 0);
  if (count == 0) return offsets;
  for (int64_t d : plan.indexed) {
    const Tensor dense = make_real_tensor(TensorMeta(DType::I64, plan.index_shape));
    copy_elements(dense, broadcast_view(indices[static_cast<size_t>(d)].tensor(), plan.index_shape));
    const int64_t size = self.sizes[static_cast<size_t>(d)].as_int(),
                  stride = self.strides[static_cast<size_t>(d)].as_int();
    const int64_t* at = dense.data<int64_t>();
    for (int64_t i = 0; i < count; ++i) {
      const int64_t index = at[i];
      if (index < -size || index >= size) {
        fail_on_index(call, index, d, size);
      }
      offsets[static_cast<size_t>(i)] += (index < 0 ? index + size : index) * stride;
    }
  }
  return offsets;
}

/// Calls f(offset in self, offset in other) for each selected element. REQUIRES: `other` has the plan's sizes.
template <class F>
void for_each_picked(const IndexPlan& plan, const TensorMeta& self, const TensorMeta& other,
                     std::span<const int64_t> offsets, F&& f) {
  const size_t kept = plan.kept.size(), shape = plan.index_shape.size();
  InlineVec<int64_t, 8> sizes, of_self, of_other;
  for (size_t k = 0; k < kept; ++k) {
    const size_t place = k < plan.front ? k : k + shape;
    sizes.push_back(plan.sizes[place].as_int());
    of_self.push_back(self.strides[static_cast<size_t>(plan.kept[k])].as_int());
    of_other.push_back(other.strides[place].as_int());
  }
  int64_t slice = 1;
  for (int64_t s : sizes) slice *= s;
  InlineVec<int64_t, 8> picked(shape, 0), at(kept, 0);
  int64_t base = 0;
  for (size_t p = 0; p < offsets.size(); ++p) {
    int64_t from = offsets[p], to = base;
    for (int64_t e = 0; e < slice; ++e) {
      f(from, to);
      for (size_t d = kept; d-- > 0;) {
        from += of_self[d], to += of_other[d];
        if (++at[d] < sizes[d]) break;
        from -= of_self[d] * sizes[d], to -= of_other[d] * sizes[d];
        at[d] = 0;
      }
    }
    for (size_t d = shape; d-- > 0;) {
      const int64_t step = other.strides[plan.front + d].as_int(), size = plan.index_shape[d].as_int();
      base += step;
      if (++picked[d] < size) break;
      base -= step * size;
      picked[d] = 0;
    }
  }
}

void pick(KernelCall& call, std::span<const Value> indices, const Tensor& out) {
  const Tensor self = call.tensor(kReads["self"]);
  if (std::all_of(indices.begin(), indices.end(), [](const Value& i) { return i.is_none(); })) return;  // self is empty
  const IndexPlan plan = plan_of(call, self.meta(), indices);
  const std::vector<int64_t> offsets = picked_offsets(call, plan, self.meta(), indices);
  if (out.numel().as_int() == 0) return;
  dispatch_item_size(item_size(out.dtype()), [&]<class Word>() {
    const Word* from = reinterpret_cast<const Word*>(self.raw_data());
    Word* to = reinterpret_cast<Word*>(out.raw_data());
    for_each_picked(plan, self.meta(), out.meta(), offsets, [&](int64_t s, int64_t o) { to[o] = from[s]; });
  });
}

template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else {
    return static_cast<T>(a + b);
  }
}

}  // namespace

void index_cpu(KernelCall& call) {
  const Value list = without_masks(call.list(kReads["indices"]), masked_positions);
  pick(call, list.as_list(), call.outputs[0]);
}

void index_masked_cpu(KernelCall& call, Values& results) { pick_masked(call, results, masked_positions, pick); }

void index_put_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kWrites["self"]), given = call.tensor(kWrites["values"]);
  const Tensor& out = call.outputs[0];
  const Value list = without_masks(call.list(kWrites["indices"]), masked_positions);
  const IndexPlan plan = plan_put(call, list);
  const bool in_place = self.is(out), shares = !in_place && out.shares_storage(given);
  const Tensor target = shares ? make_real_tensor(TensorMeta(out.dtype(), out.sizes())) : out;
  if (!in_place) copy_elements(target, self);
  const std::vector<int64_t> offsets = picked_offsets(call, plan, target.meta(), list.as_list());
  const Tensor values = make_real_tensor(TensorMeta(out.dtype(), plan.sizes));
  copy_elements(values, broadcast_view(given, plan.sizes));
  if (values.numel().as_int() > 0) {
    // The dtypes include 8-bit floats, because a conversion to a wider dtype and back could change a NaN.
    dispatch_dtype<kAllDTypes | kFloat8s>(out.dtype(), [&]<class T>() {
      T* to = reinterpret_cast<T*>(target.raw_data());
      const T* from = values.data<T>();
      const bool add = call.boolean(kWrites["accumulate"]);
      for_each_picked(plan, target.meta(), values.meta(), offsets,
                      [&](int64_t s, int64_t v) { to[s] = add ? sum_of(to[s], from[v]) : from[v]; });
    });
  }
  if (shares) copy_elements(out, target);
}

}  // namespace ersatz::op_index

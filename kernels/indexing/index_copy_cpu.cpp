#include "kernels/indexing/index_copy.h"
#include "kernels/indexing/index_values.h"
#include "kernels/indexing/scatter_places.h"
#include "kernels/indexing/tensor_number.h"
#include "kernels/shape/fill_elements.h"

namespace ersatz::op_index_copy {
namespace {

/// Returns a view of slice `index` along `dim`, without that dim. Returns `t` itself if it is 0-d.
Tensor slice_of(const Tensor& t, int64_t dim, int64_t index) {
  if (t.dim() == 0) return t;
  TensorMeta meta = t.meta();
  meta.offset += SymInt(index) * meta.strides[static_cast<size_t>(dim)];
  meta.sizes.erase(static_cast<size_t>(dim));
  meta.strides.erase(static_cast<size_t>(dim));
  return make_view(t, std::move(meta));
}

}  // namespace

void copy_cpu(KernelCall& call) {
  const ScatterTarget target(call);
  const int64_t dim = scatter_dim(call);
  const Tensor source = call.tensor(kIndexCopy["source"]);
  const IndexValues indices = checked_indices(
      call, call.tensor(kIndexCopy["index"]),
      target.tensor().numel().as_int() == 0 ? INT64_MAX : size_of(target.tensor(), dim), ErrorFamily::Index);
  if (source.numel().as_int() > 0) {
    for (size_t i = 0; i < indices.size(); ++i) {
      copy_elements(slice_of(target.tensor(), dim, indices[i]), slice_of(source, dim, static_cast<int64_t>(i)));
    }
  }
  target.finish();
}

void fill_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor self = call.tensor(kIndexFillInt["self"]);
  const int64_t dim = scatter_dim(call);
  const Scalar value = given_number(call, kIndexFillInt["value"]);
  const std::vector<int64_t> indices =
      wrapped_indices(call, call.tensor(kIndexFillInt["index"]),
                      out.numel().as_int() == 0 ? INT64_MAX : size_of(out, dim), ErrorFamily::Index);
  if (out.numel().as_int() == 0) return;
  if (!out.is(self)) copy_elements(out, self);
  for (int64_t index : indices) fill_elements(slice_of(out, dim, index), value);
}

}  // namespace ersatz::op_index_copy

#include "kernels/shape/meshgrid.h"

#include "kernels/pointwise/iterator_layout.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/stack.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_meshgrid {
namespace {

std::vector<Tensor> tensors_of(std::span<const Value> list) {
  std::vector<Tensor> tensors;
  for (const Value& v : list) tensors.push_back(v.tensor());
  return tensors;
}
Value list_of(const std::vector<Tensor>& tensors) {
  std::vector<Value> items(tensors.begin(), tensors.end());
  return Value::list(items);
}

std::vector<Tensor> grid(const CompositeCall& call) {
  static constexpr Schemas kArgs{kMeshgrid, kMeshgridIndexing};
  const std::vector<Tensor> tensors = tensors_of(call.list(kArgs["tensors"]));
  call.require(!tensors.empty(), "C1", "expects a tensor at least");
  DimVec sizes;
  for (const Tensor& t : tensors) {
    call.require(t.dim() <= 1, "C1", "expects tensors of one dim at most: got {}", t.meta());
    sizes.push_back(t.numel());
  }
  for (const Tensor& t : tensors) {
    call.require(t.dtype() == tensors[0].dtype(), "C2", "expects tensors of one dtype: got {} and {}",
                 tensors[0].meta(), t.meta());
  }
  std::vector<Tensor> grids;
  for (size_t i = 0; i < tensors.size(); ++i) {
    DimVec along(tensors.size(), SymInt(1));
    along[i] = -1;
    grids.push_back(ops::expand(ops::view(tensors[i], along), sizes));
  }
  return grids;
}

void meshgrid(CompositeCall& call) { call.returns(list_of(grid(call))); }

void meshgrid_indexing(CompositeCall& call) {
  const std::string_view indexing = call[kMeshgridIndexing["indexing"]].as_string();
  call.require(!call.list(kMeshgridIndexing["tensors"]).empty(), "C1", "expects a tensor at least");
  call.require(indexing == "ij" || indexing == "xy", "C3", "indexing must be ij or xy, it is {}", indexing);
  if (indexing == "ij" || call.list(kMeshgridIndexing["tensors"]).size() < 2) return meshgrid(call);
  std::vector<Value> exchanged(call.list(kMeshgridIndexing["tensors"]).begin(),
                               call.list(kMeshgridIndexing["tensors"]).end());
  std::swap(exchanged[0], exchanged[1]);
  std::vector<Tensor> grids =
      tensors_of(call_op_all<"aten.meshgrid.default">(std::span<const Value>(exchanged))[0].as_list());
  std::swap(grids[0], grids[1]);
  call.returns(list_of(grids));
}

void broadcast_tensors(CompositeCall& call) {
  std::vector<Tensor> tensors = tensors_of(call.list(kBroadcastTensors["tensors"]));
  std::vector<const TensorMeta*> metas;
  for (const Tensor& t : tensors) metas.push_back(&t.meta());
  DimVec sizes;
  BroadcastMismatch mismatch;
  const bool broadcast = metas.empty() || broadcast_sizes(metas, sizes, mismatch);
  call.require(broadcast, "C1", "tensors must broadcast together: {} does not fit (dim {}: {} vs {})",
               *metas[broadcast ? 0 : mismatch.operand], mismatch.dim, mismatch.have, mismatch.expected);
  for (Tensor& t : tensors) {
    if (!sym_eq(t.sizes(), sizes)) t = ops::expand(t, sizes);
  }
  call.returns(list_of(tensors));
}

void cartesian_prod(CompositeCall& call) {
  const std::vector<Tensor> tensors = tensors_of(call.list(kCartesianProd["tensors"]));
  call.require(!tensors.empty(), "C1", "expects a tensor at least");
  for (const Tensor& t : tensors) call.require(t.dim() == 1, "C1", "expects vectors: got {}", t.meta());
  if (tensors.size() == 1) return call.returns(tensors[0]);
  std::vector<Tensor> columns =
      tensors_of(call_op_all<"aten.meshgrid.default">(call[kCartesianProd["tensors"]])[0].as_list());
  for (Tensor& c : columns) c = ops::flatten(c);
  call.returns(ops::stack(columns, 1));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kMeshgrid)
      .tag(Tag::View)
      .with_composite(meshgrid)
      .sample("[f32[3], f32[2], f32[]]")
      .refuses("C1", "[f32[2,3]]")
      .refuses("C2", "[f32[2], i64[3]]");
  r.add(kMeshgridIndexing)
      .tag(Tag::View)
      .with_composite(meshgrid_indexing)
      .sample("[f32[3], f32[2]], indexing=\"xy\"")
      .sample("[f32[3], f32[2]], indexing=\"ij\"")
      .refuses("C3", "[f32[3]], indexing=\"ab\"");
  r.add(kBroadcastTensors)
      .tag(Tag::View)
      .with_composite(broadcast_tensors)
      .sample("[f32[3], f32[2,1], i64[]]")
      .refuses("C1", "[f32[3], f32[2]]");
  r.add(kCartesianProd)
      .with_composite(cartesian_prod)
      .sample("[f32[3], f32[2]]")
      .sample("[f32[3]]")
      .refuses("C1", "[f32[2,3]]");
}

}  // namespace ersatz::op_meshgrid

namespace ersatz::ops {

std::vector<Tensor> meshgrid(std::span<const Tensor> tensors, std::string_view indexing) {
  std::vector<Value> list(tensors.begin(), tensors.end());
  return op_meshgrid::tensors_of(
      call_op_all<"aten.meshgrid.indexing">(std::span<const Value>(list), indexing)[0].as_list());
}

}  // namespace ersatz::ops

#include "kernels/shape/chunk_cat.h"

#include "kernels/creation/full.h"
#include "kernels/shape/cat.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_chunk_cat {
namespace {

/// Checks the constraints of kChunkCat and returns the wrapped `dim`. Every tensor must have this dim.
int64_t checked_dim(const CompositeCall& call) {
  const auto tensors = call.list(kChunkCat["tensors"]);
  call.require(!tensors.empty(), "C1", "expects a tensor at least");
  const TensorMeta& first = tensors[0].tensor_impl()->meta;
  for (const Value& v : tensors) {
    const TensorMeta& t = v.tensor_impl()->meta;
    call.require(t.dim() > 0 && check_ne(t.numel(), 0) && t.dtype == first.dtype && t.device == first.device, "C1",
                 "expects tensors of one dtype and device, none of them 0-d or empty: got {} and {}", first, t);
  }
  const int64_t dim = call.wrap_dim(call.integer(kChunkCat["dim"]), first.dim());
  for (const Value& v : tensors) {
    const TensorMeta& t = v.tensor_impl()->meta;
    bool fits = dim < t.dim() && (call.integer(kChunkCat["dim"]) >= 0 || t.dim() == first.dim());
    for (size_t d = 0; fits && d < static_cast<size_t>(dim); ++d) fits = check_eq(t.sizes[d], first.sizes[d]);
    call.require(fits, "C3", "sizes before dim {} must be the same: got {} and {}", dim, first, t);
  }
  call.require(call.integer(kChunkCat["num_chunks"]) >= 1, "C2", "num_chunks must be 1 at least: got {}",
               call.integer(kChunkCat["num_chunks"]));
  return dim;
}

Tensor chunks_of(const Tensor& t, int64_t dim, int64_t num_chunks) {
  DimVec padded(t.sizes()), chunks;
  const SymInt size = t.size(dim), whole = floor_div(size + SymInt(num_chunks - 1), num_chunks) * num_chunks;
  Tensor filled = t;
  if (size.is_symbolic() || whole.as_int() != size.as_int()) {
    padded[static_cast<size_t>(dim)] = whole;
    filled = ops::zeros(padded, {.dtype = t.dtype(), .device = t.device()});
    ops::copy_(ops::slice(filled, dim, 0, size), t);
  }
  chunks.append(t.sizes().begin(), t.sizes().begin() + dim);
  chunks.push_back(num_chunks);
  chunks.push_back(-1);
  return ops::reshape(filled, chunks);
}

std::vector<Value> all_chunks(const CompositeCall& call, int64_t dim) {
  std::vector<Value> chunks;
  for (const Value& v : call.list(kChunkCat["tensors"]))
    chunks.push_back(chunks_of(v.tensor(), dim, call.integer(kChunkCat["num_chunks"])));
  return chunks;
}

void chunk_cat(CompositeCall& call) {
  const int64_t dim = checked_dim(call);
  call.returns(call_op<"aten.cat.default">(Value::list(all_chunks(call, dim)), dim + 1));
}
void chunk_cat_out(CompositeCall& call) {
  const int64_t dim = checked_dim(call);
  call.returns(call_op<"aten.cat.out">(Value::list(all_chunks(call, dim)), dim + 1, call[kChunkCat.out()]));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kChunkCat)
                    .with_composite(chunk_cat)
                    .sample("[f32[3], f32[5]], 0, 2")
                    .sample("[i64[2,3]{1,2}, i64[2,4]], 1, 2")
                    .refuses("C1", "[f32[2], f64[2]], 0, 1")
                    .refuses("C2", "[f32[2]], 0, 0")
                    .refuses("C3", "[f32[2,2], f32[3,2]], 1, 1");
  r.add_out_alike(op, "out").with_composite(chunk_cat_out).sample("[f32[3], f32[5]], 0, 2, out=f64[0]");
}

}  // namespace ersatz::op_chunk_cat

#include "kernels/pooling/max_unpool.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/scatter.h"
#include "kernels/kernel_dtype.h"
#include "kernels/pooling/indexed_points.h"
#include "runtime/op/derived.h"
#include "runtime/op/registry.h"
#include "runtime/op/write_count.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_max_unpool {
namespace {

template <size_t spatial>
void rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kEach["self"]), &indices = call.meta(kEach["indices"]);
  const std::span<const SymInt> output_size = call.ints(kEach["output_size"]);
  bool valid = output_size.size() == spatial;
  for (const SymInt& s : output_size) valid = valid && check_ge(s, 0);
  call.require(valid, "C1", "output_size must be {} sizes: it is {}", spatial, output_size);
  if constexpr (spatial == 3) {
    const std::span<const SymInt> stride = call.ints(kMaxUnpool3d["stride"]),
                                  padding = call.ints(kMaxUnpool3d["padding"]);
    const bool forward = std::all_of(stride.begin(), stride.end(), [](const SymInt& s) { return check_gt(s, 0); });
    call.require(stride.size() == 3 && forward && padding.size() == 3, "C1",
                 "stride must be 3 positive numbers and padding 3 numbers: they are {} and {}", stride, padding);
  }
  const size_t rank = self.sizes.size();
  bool filled = rank == spatial + 1 || rank == spatial + 2;
  for (size_t d = 1; filled && d < rank; ++d) filled = size_ne(self.sizes[d], 0);
  call.require(filled, "C2", "self must have {} or {} dims, none empty but the first: it is {}", spatial + 1,
               spatial + 2, self);
  call.require(indices.dtype == DType::I64 && indices.sizes.size() == rank && check_eq(indices.sizes, self.sizes), "C3",
               "indices must be i64 with the sizes of self: they are {} and {}", indices, self);
  DimVec sizes = self.sizes;
  std::copy(output_size.begin(), output_size.end(), sizes.end() - spatial);
  TensorMeta out(self.dtype, sizes, call.device);
  if (spatial == 2 && rank == 4 && !call.device.is_cuda()) {
    out.strides = strides_for(out.sizes, suggest_memory_format(self));
  }
  if (!call.device.is_meta() && size_ne(out.numel(), 0)) {
    const DTypeSet dtypes = call.op.dtypes_on(call.device.type);
    kLimitedDTypes.has(self.dtype) ? call.require_dtype(self.dtype, dtypes)
                                   : call.require_dtype_first(self.dtype, dtypes);
  }
  call.out.fresh(std::move(out));
}

/// ATen checks the layout of `out` before anything else, even if `out` is resized afterwards.
void volumes_out_rule(RuleCall& call) {
  const TensorMeta& out = call.meta(kMaxUnpool3d.out());
  call.require(is_contiguous(out), "layout", "out must be row-major: it is {}", out);
  derived_out_rule(call);
}

template <size_t spatial>
void run(KernelCall& call) {
  scatter_points<"aten.scatter_.src">(call.outputs[0], call.tensor(kEach["indices"]), call.tensor(kEach["self"]),
                                      spatial);
}

/// Returns, for each element of the result, how many elements of self are written to it. If there are several, CUDA
/// keeps any of them.
template <size_t spatial>
Tensor count_put(std::span<const Value> args) {
  const Tensor self = args[kEach["self"]].tensor();
  const std::span<const SymInt> output_size = args[kEach["output_size"]].as_ints();
  DimVec sizes(self.sizes().begin(), self.sizes().end());
  std::copy(output_size.begin(), output_size.end(), sizes.end() - spatial);
  const Tensor counts = ops::zeros(sizes);
  scatter_points<"aten.scatter_add_.default">(counts, args[kEach["indices"]].tensor(), ops::ones(self.sizes()),
                                              spatial);
  return counts;
}

template <size_t spatial>
OpEntry& add(Registry& r, const Schema& schema) {
  return r.add(schema)
      .tag(Tag::FailsOnValues)
      .with_rule(rule<spatial>)
      .dtypes(kFloats)
      .dtypes_on_cuda(kReals)
      .every_device(run<spatial>);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& images = add<2>(r, kMaxUnpool2d)
                        .sample("f32[2,3,2,2], i64[2,3,2,2], [4, 4]", 0, 3)
                        .sample("f32[3,2,2], i64[3,2,2], [4, 4]", 0, 3)
                        .refuses("C1", "f32[2,3,2,2], i64[2,3,2,2], [4]")
                        .refuses("C2", "f32[2,3,2,0], i64[2,3,2,0], [4, 4]")
                        .refuses("C3", "f32[2,3,2,2], i32[2,3,2,2], [4, 4]");
  count_writes(images, count_put<2>);
  r.add_out(images, "out", WrittenForm{.may_overlap = true, .anew_of_rank = 4});
  OpEntry& volumes = add<3>(r, kMaxUnpool3d)
                         .sample("f32[2,3,2,2,2], i64[2,3,2,2,2], [4, 4, 4], [2, 2, 2], [0, 0, 0]", 0, 3)
                         .refuses("C1", "f32[2,3,2,2,2], i64[2,3,2,2,2], [4, 4, 4], [2, 0, 2], [0, 0, 0]")
                         .refuses("C2", "f32[2,2,2], i64[2,2,2], [4, 4, 4], [2, 2, 2], [0, 0, 0]")
                         .refuses("C3", "f32[3,2,2,2], i64[3,2,2,1], [4, 4, 4], [2, 2, 2], [0, 0, 0]");
  count_writes(volumes, count_put<3>);
  r.add_out(volumes, "out", WrittenForm{.may_overlap = true}).with_rule(volumes_out_rule);
}

}  // namespace ersatz::op_max_unpool

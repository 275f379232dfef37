#include "kernels/pooling/fractional_pool.h"

#include "kernels/indexing/scatter.h"
#include "kernels/kernel_dtype.h"
#include "kernels/pooling/indexed_points.h"
#include "kernels/pooling/pooled_form.h"
#include "runtime/op/registry.h"

namespace ersatz::op_fractional_pool {

Kernel run_images_cpu, run_volumes_cpu;

namespace {

void require_kernel(const RuleCall& call, DType dtype) {
  if (!call.device.is_meta()) call.require_dtype(dtype, call.op.dtypes_on(call.device.type));
}

template <size_t spatial>
void rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kForward["self"]), &samples = call.meta(kForward["random_samples"]);
  const std::span<const SymInt> kernel = call.ints(kForward["kernel_size"]), to = call.ints(kForward["output_size"]);
  bool valid = kernel.size() == spatial && to.size() == spatial;
  for (size_t d = 0; valid && d < spatial; ++d) valid = check_gt(kernel[d], 0) && check_ge(to[d], 0);
  call.require(valid, "C1", "kernel_size must be {} positive sizes and output_size {} sizes: they are {} and {}",
               spatial, spatial, kernel, to);
  const size_t rank = self.sizes.size(), channels = rank == spatial + 2 ? 1 : 0;
  bool filled = rank == spatial + 1 || rank == spatial + 2;
  for (size_t d = 1; filled && d < rank; ++d) filled = size_ne(self.sizes[d], 0);
  call.require(filled, "C2", "self must have {} or {} dims, none empty but the first: it is {}", spatial + 1,
               spatial + 2, self);
  call.require(
      samples.dtype == self.dtype && samples.dim() == 3 &&
          check_ge(samples.sizes[0], channels == 1 ? self.sizes[0] : SymInt(1)) &&
          check_eq(samples.sizes[1], self.sizes[channels]) && check_eq(samples.sizes[2], static_cast<int64_t>(spatial)),
      "C3", "random_samples must be [batch, channels, {}] of the dtype of self, {}: it is {}", spatial, self, samples);
  DimVec sizes = self.sizes;
  for (size_t d = 0; d < spatial; ++d) {
    SymInt& size = sizes[rank - spatial + d];
    call.require(check_le(to[d] + kernel[d] - SymInt(spatial == 2 ? 1 : 0), size), "C4",
                 "{} windows of {} do not fit into dim {} of {}, each beginning at another element", to[d], kernel[d],
                 rank - spatial + d, self);
    size = to[d];
  }
  call.out.fresh(TensorMeta(self.dtype, sizes, call.device));
  call.out.fresh(TensorMeta(DType::I64, sizes, call.device));
  if (size_ne(self.numel(), 0)) require_kernel(call, self.dtype);
}

template <size_t spatial>
void backward_rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kBackward["grad_output"]), &self = call.meta(kBackward["self"]),
                   &indices = call.meta(kBackward["indices"]);
  const std::span<const SymInt> to = call.ints(kBackward["output_size"]);
  const size_t rank = self.sizes.size();
  call.require_index(rank >= spatial + 1 && (spatial == 2 || rank > spatial + 2 || grad.sizes.size() >= rank), "C2",
                     "grad_output must have the rank of self, at least {}: they are {} and {}", spatial + 1, grad,
                     self);
  bool fits = to.size() >= spatial, batches = grad.sizes.size() == rank && rank <= spatial + 2;
  // PyTorch does not compare the planes of volumes if self has zero planes, and neither does this rule.
  const bool any = spatial == 2 || size_ne(self.sizes[0], 0);
  for (size_t d = 0; batches && d < rank; ++d) {
    if (d >= rank - spatial) {
      fits = fits && check_eq(grad.sizes[d], to[d - (rank - spatial)]);
      batches = size_ne(self.sizes[d], 0) || !size_ne(grad.numel(), 0);
    } else {
      batches = !any || check_eq(grad.sizes[d], self.sizes[d]);
    }
  }
  call.require(batches, "C2",
               "grad_output must have the sizes of self before the last {}, and these hold it: {} and {}", spatial,
               grad, self);
  call.require(fits, "C1", "the last sizes of grad_output must be output_size, {}: it is {}", to, grad);
  require_kernel(call, self.dtype);
  call.require(grad.dtype == self.dtype && indices.dtype == DType::I64 && indices.sizes.size() == rank &&
                   check_eq(indices.sizes, grad.sizes),
               "C3", "grad_output must have the dtype of self, {}, and indices be i64 of its sizes: they are {} and {}",
               self, grad, indices);
  call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
}

template <size_t spatial>
void run_backward(KernelCall& call) {
  scatter_points<"aten.scatter_add_.default">(call.outputs[0], call.tensor(kBackward["indices"]),
                                              call.tensor(kBackward["grad_output"]), spatial);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& images = r.add(kImages)
                        .with_rule(rule<2>)
                        .dtypes(kFloats)
                        .cpu(run_images_cpu)
                        .sample("f32[2,3,7,9], [2, 3], [3, 4], f32[2,3,2]{6,2,1}", 0, 1)
                        .refuses("C1", "f32[2,3,7,9], [2, 0], [3, 4], f32[2,3,2]")
                        .refuses("C2", "f32[2,0,7,9], [2, 3], [3, 4], f32[2,0,2]")
                        .refuses("C3", "f32[2,3,7,9], [2, 3], [3, 4], f32[2,3,3]")
                        .refuses("C4", "f32[2,3,7,9], [2, 3], [7, 4], f32[2,3,2]");
  r.add_out(images, "output", kPooledForm, {"output", "indices"});
  OpEntry& volumes = r.add(kVolumes)
                         .with_rule(rule<3>)
                         .dtypes(kFloats)
                         .cpu(run_volumes_cpu)
                         .sample("f32[2,3,4,7,9], [2, 2, 3], [2, 3, 4], f32[2,3,3]", 0, 1);
  r.add_out(volumes, "output", kPooledForm, {"output", "indices"});
  OpEntry& images_back = r.add(kImagesBackward)
                             .tag(Tag::FailsOnValues)
                             .with_rule(backward_rule<2>)
                             .dtypes(kFloats)
                             .every_device(run_backward<2>)
                             .sample("f32[2,3,3,4], f32[2,3,7,9], [2, 3], [3, 4], i64[2,3,3,4]", 0, 1)
                             .refuses("C1", "f32[2,3,3,4], f32[2,3,7,9], [2, 3], [3, 3], i64[2,3,3,4]")
                             .refuses("C2", "f32[1,3,3,4], f32[2,3,7,9], [2, 3], [3, 4], i64[1,3,3,4]")
                             .refuses("C3", "f32[2,3,3,4], f32[2,3,7,9], [2, 3], [3, 4], i32[2,3,3,4]");
  r.add_out(images_back, "grad_input", kPooledForm, {"grad_input"});
  OpEntry& volumes_back = r.add(kVolumesBackward)
                              .tag(Tag::FailsOnValues)
                              .with_rule(backward_rule<3>)
                              .dtypes(kFloats)
                              .every_device(run_backward<3>)
                              .sample("f32[2,3,2,3,4], f32[2,3,4,7,9], [2, 2, 3], [2, 3, 4], i64[2,3,2,3,4]", 0, 1);
  r.add_out(volumes_back, "grad_input", kPooledForm, {"grad_input"});
}

}  // namespace ersatz::op_fractional_pool

#include "kernels/conv/patches.h"

#include "kernels/creation/full.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"
#include "runtime/op/registry.h"

namespace ersatz::op_patches {
namespace {

constexpr DTypeSet kTaken = kFloatsAndComplexes | DTypeSet{DType::Bool};

/// The attributes of the patches of an image. Index 0 of each member is for the height, index 1 for the width.
struct Window {
  SymInt kernel[2], dilation[2], padding[2], stride[2];

  template <class Call>
  Window(const Call& call, size_t first) {
    SymInt* const all[] = {kernel, dilation, padding, stride};
    for (size_t i = 0; i < 4; ++i) {
      const auto given = call.ints(first + i);
      for (size_t d = 0; d < 2; ++d) all[i][d] = given[given.size() == 1 ? 0 : d];
    }
  }
  /// Returns the number of patches along dim `d`, whose size is `size`.
  SymInt patches(size_t d, SymInt size) const {
    return floor_div(size + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1, stride[d]) + 1;
  }
};

Window checked_window(const RuleCall& call, size_t first) {
  for (size_t i = 0; i < 4; ++i) {
    const std::span<const SymInt> given = call.ints(first + i);
    bool fits = given.size() == 2;
    for (const SymInt v : given) fits = fits && check_ge(v, i == 2 ? 0 : 1);
    call.require(fits, "C1", "{} must be two {} numbers: {}", call.op.schema.arguments[first + i].name,
                 i == 2 ? "not negative" : "positive", given);
  }
  return Window(call, first);
}
/// True if `t` has rank `rank`, or one more dim for the batch. Only the batch may have size 0.
bool has_dims(const TensorMeta& t, int64_t rank) {
  if (t.dim() != rank && t.dim() != rank + 1) return false;
  for (size_t d = t.dim() == rank ? 0 : 1; d < t.sizes.size(); ++d) {
    if (size_eq(t.sizes[d], 0)) return false;
  }
  return true;
}

void im2col_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kIm2col["self"]);
  const Window window = checked_window(call, kIm2col["kernel_size"]);
  // ATen checks channels and height before the rank, because a batch may have size 0.
  const bool looks_further = self.dim() > 1 && size_eq(self.sizes[1], 0);
  call.require_index(self.dim() > 2 || looks_further, "C2", "self must be images: it is {}", self);
  call.require(has_dims(self, 3), "C2", "self must be images that are not empty: it is {}", self);
  const size_t channels = self.sizes.size() - 3;
  const SymInt rows = window.patches(0, self.sizes[channels + 1]),
               columns = window.patches(1, self.sizes[channels + 2]);
  call.require(check_ge(rows, 1) && check_ge(columns, 1), "C3", "there is no patch: {} x {} of {}", rows, columns,
               self);
  call.require_dtype(self.dtype, kTaken);
  DimVec sizes;
  if (channels > 0) sizes.push_back(self.sizes[0]);
  sizes.push_back(self.sizes[channels] * window.kernel[0] * window.kernel[1]);
  sizes.push_back(rows * columns);
  call.out.fresh(TensorMeta(self.dtype, sizes, call.device));
}

void col2im_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kCol2im["self"]);
  const std::span<const SymInt> size = call.ints(kCol2im["output_size"]);
  call.require(size.size() == 2, "C1", "output_size must be two numbers: {}", size);
  const Window window = checked_window(call, kCol2im["kernel_size"]);
  call.require(has_dims(self, 2), "C2", "self must be columns that are not empty: it is {}", self);
  const size_t columns = self.sizes.size() - 2;
  const SymInt area = window.kernel[0] * window.kernel[1];
  const SymInt down = window.patches(0, size[0]), across = window.patches(1, size[1]);
  call.require(check_eq(floor_mod(self.sizes[columns], area), 0) && check_eq(self.sizes[columns + 1], down * across),
               "C4", "{} x {} patches of {} elements do not fit columns {}", down, across, area, self);
  call.require(check_ge(down, 1) && check_ge(across, 1) && check_ge(size[0], 1) && check_ge(size[1], 1), "C3",
               "there is no patch: {} x {} of an image {}", down, across, size);
  call.require_dtype(self.dtype, kTaken);
  DimVec sizes;
  if (columns > 0) sizes.push_back(self.sizes[0]);
  sizes.push_back(floor_div(self.sizes[columns], area));
  sizes.push_back(size[0]);
  sizes.push_back(size[1]);
  call.out.fresh(TensorMeta(self.dtype, sizes, call.device));
}

Tensor batched(const Tensor& t, int64_t rank) {
  return t.dim() == rank ? t : call_op<"aten.unsqueeze.default">(t, int64_t(0));
}

/// Calls f(kernel row, kernel column, view) for each element of a patch. `view` is a view of `padded`, the padded
/// images. It has the element at this row and column of all patches.
template <class F>
void for_each_position(const Window& w, const Tensor& padded, SymInt rows, SymInt columns, F&& f) {
  for (int64_t i = 0; i < w.kernel[0].as_int(); ++i) {
    for (int64_t j = 0; j < w.kernel[1].as_int(); ++j) {
      const SymInt top = w.dilation[0] * i, left = w.dilation[1] * j;
      const Tensor down = ops::slice(padded, 2, top, top + (rows - 1) * w.stride[0] + 1, w.stride[0]);
      f(i, j, ops::slice(down, 3, left, left + (columns - 1) * w.stride[1] + 1, w.stride[1]));
    }
  }
}
/// Returns zeros with the sizes of `images` plus padding.
Tensor padded_zeros(const Window& w, const Tensor& images) {
  return ops::zeros(DimVec{images.sizes()[0], images.sizes()[1], images.sizes()[2] + 2 * w.padding[0],
                           images.sizes()[3] + 2 * w.padding[1]},
                    {.dtype = images.dtype(), .device = images.device()});
}
Tensor inside(const Window& w, const Tensor& padded, const Tensor& images) {
  const Tensor down = ops::slice(padded, 2, w.padding[0], w.padding[0] + images.sizes()[2]);
  return ops::slice(down, 3, w.padding[1], w.padding[1] + images.sizes()[3]);
}
/// Returns the sizes [batch, channels, kernel height, kernel width, rows, columns] of the patches of `images`.
DimVec column_sizes(const Window& w, const Tensor& images) {
  return {images.sizes()[0],
          images.sizes()[1],
          w.kernel[0],
          w.kernel[1],
          w.patches(0, images.sizes()[2]),
          w.patches(1, images.sizes()[3])};
}
Tensor at(const Tensor& columns, int64_t i, int64_t j) {
  return call_op<"aten.select.int">(call_op<"aten.select.int">(columns, int64_t(2), SymInt(i)), int64_t(2), SymInt(j));
}

void run_im2col(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Window w(call, kIm2col["kernel_size"]);
  const Tensor images = batched(call.tensor(kIm2col["self"]), 4), padded = padded_zeros(w, images);
  ops::copy_(inside(w, padded, images), images);
  const DimVec sizes = column_sizes(w, images);
  const Tensor columns = ops::zeros(sizes, {.dtype = images.dtype(), .device = images.device()});
  for_each_position(w, padded, sizes[4], sizes[5],
                    [&](int64_t i, int64_t j, const Tensor& positions) { ops::copy_(at(columns, i, j), positions); });
  ops::copy_(call.outputs[0], ops::reshape(columns, call.outputs[0].sizes()));
}
void run_col2im(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Window w(call, kCol2im["kernel_size"]);
  const Tensor images = batched(call.outputs[0], 4), padded = padded_zeros(w, images);
  const DimVec sizes = column_sizes(w, images);
  const Tensor columns = ops::reshape(call.tensor(kCol2im["self"]), sizes);
  for_each_position(w, padded, sizes[4], sizes[5], [&](int64_t i, int64_t j, const Tensor& positions) {
    call_op<"aten.add_.Tensor">(positions, at(columns, i, j), Scalar(1));
  });
  ops::copy_(images, inside(w, padded, images));
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) { return call.meta(size_t{0}).numel(); }

constexpr WrittenForm kWritten{.cast = WrittenCast::OfElements};

}  // namespace

void register_ops(Registry& r) {
  OpEntry& columns = r.add(kIm2col)
                         .with_rule(im2col_rule)
                         .every_device(run_im2col)
                         .dtypes(kTaken)
                         .sample("f32[2,3,5,6]{90,1,18,3}, [2,3], [1,2], [1,0], [2,1]")
                         .sample("f32[3,5,6], [2,3], [1,2], [1,0], [2,1]")
                         .refuses("C1", "f32[3,5,6], [2,0], [1,1], [0,0], [1,1]")
                         .refuses("C2", "f32[5,6], [2,2], [1,1], [0,0], [1,1]")
                         .refuses("C3", "f32[3,5,6], [6,6], [1,1], [0,0], [1,1]");
  r.add_out(columns, "out", kWritten);
  OpEntry& images = r.add(kCol2im)
                        .tag(Tag::Core)
                        .with_rule(col2im_rule)
                        .every_device(run_col2im)
                        .dtypes(kTaken)
                        .count_flops(flops)
                        .sample("f32[2,12,20], [5,6], [2,2], [1,1], [0,0], [1,1]")
                        .refuses("C1", "f32[12,20], [5], [2,2], [1,1], [0,0], [1,1]")
                        .refuses("C2", "f32[12], [5,6], [2,2], [1,1], [0,0], [1,1]")
                        .refuses("C3", "f32[9,1], [1,1], [3,3], [1,1], [0,0], [1,1]")
                        .refuses("C4", "f32[12,21], [5,6], [2,2], [1,1], [0,0], [1,1]");
  r.add_out(images, "out", kWritten);
}

}  // namespace ersatz::op_patches

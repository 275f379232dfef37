#include "kernels/pooling/pool1d.h"

#include "kernels/own_dtype.h"
#include "kernels/pooling/adaptive_avg_pool2d.h"
#include "kernels/pooling/avg_pool2d.h"
#include "kernels/pooling/max_pool2d.h"
#include "kernels/pooling/window.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "kernels/shape/squeeze.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_pool1d {

Kernel run_max_cpu;

namespace {

/// Reads an argument of one int, `v`. Returns {other, v}: the numbers for height and width of the row as an image of
/// height 1.
DimVec row_pair(const RuleCall& call, Position argument, SymInt other) {
  const auto v = call.ints(argument);
  call.require(v.size() == 1, "C1", "{} must be one int, it is {}", call.op.schema.arguments[argument].name, v);
  return DimVec{other, v[0]};
}

void require_row(const RuleCall& call) {
  static constexpr Schemas kArgs{kMaxPool1d, kMaxPool1dWithIndices, kAvgPool1d, kAdaptiveAvgPool1d};
  const int64_t rank = call.meta(kArgs["self"]).dim();
  call.require(rank == 2 || rank == 3, "C2", "input must be 2-d, or 3-d with a batch, it is {}",
               call.meta(kArgs["self"]));
}

struct RowWindow {
  DimVec size, stride, padding;
};
RowWindow read_row_window(const RuleCall& call) {
  static constexpr Schemas kArgs{kMaxPool1d, kMaxPool1dWithIndices, kAvgPool1d};
  RowWindow w{row_pair(call, kArgs["kernel_size"], 1), {}, row_pair(call, kArgs["padding"], 0)};
  w.stride = call.ints(kArgs["stride"]).empty() ? w.size : row_pair(call, kArgs["stride"], 1);
  return w;
}

Tensor image(const Tensor& row) { return ops::unsqueeze(row, -2); }
Tensor row(const Tensor& image) { return ops::squeeze(image, -2); }

void max_pool1d_rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kMaxPool1d["self"]);
  require_row(call);
  for (size_t d = in.dim() == 3 ? 1 : 0; d < in.sizes.size(); ++d) {
    call.require(check_ne(in.sizes[d], 0), "C2", "nothing but the batch may be empty: input is {}", in);
  }
  const RowWindow row = read_row_window(call);
  Window2d w;
  w.size[0] = row.size[1].guard_int();
  w.stride[0] = row.stride[1].guard_int();
  w.padding[0] = row.padding[1].guard_int();
  w.dilation[0] = row_pair(call, kMaxPool1d["dilation"], 1)[1].guard_int();
  call.require(w.size[0] > 0 && w.stride[0] > 0 && w.dilation[0] > 0, "C3",
               "kernel size, stride and dilation must be positive: they are {}, {} and {}", w.size[0], w.stride[0],
               w.dilation[0]);
  call.require(w.padding[0] >= 0 && w.padding[0] <= w.size[0] / 2, "C3",
               "padding must be between 0 and half the kernel size: kernel size is {}, padding is {}", w.size[0],
               w.padding[0]);
  (void)(SymInt(w.dilation[0]) * (w.size[0] - 1));  // raises if the extent of the kernel overflows
  TensorMeta& out = call.out.fresh();
  out.dtype = in.dtype;
  out.device = in.device;
  out.sizes = in.sizes;
  out.sizes.back() = pooled_size(in.sizes.back(), w, 0, call.boolean(kMaxPool1d["ceil_mode"]));
  call.require(check_ge(out.sizes.back(), 1), "C3", "the output would be empty: input is {}, its length is {}", in,
               out.sizes.back());
  out.strides = contiguous_strides(out.sizes);
  if (call.device.is_cuda() && in.dim() == 3) {
    // max_pool1d on CUDA returns the strides that max_pool1d_with_indices returns on other devices: those of an image
    // of height 1.
    const SymInt sizes[] = {in.sizes[0], in.sizes[1], 1, in.sizes[2]};
    const SymInt strides[] = {in.strides[0], in.strides[1], in.sizes[2] * in.strides[2], in.strides[2]};
    if (is_channels_last_strides(sizes, strides)) {
      out.strides[0] = out.sizes[1] * out.sizes[2];
      out.strides[1] = 1;
      out.strides[2] = out.sizes[1];
    }
  }
  if (!call.device.is_meta()) call.require_dtype(in.dtype, kFloats);
}

void max_pool2d(CompositeCall& call) {
  call.returns(std::get<0>(ops::max_pool2d_with_indices(
      call.tensor(kMaxPool2d["self"]), call.ints(kMaxPool2d["kernel_size"]), call.ints(kMaxPool2d["stride"]),
      call.ints(kMaxPool2d["padding"]), call.ints(kMaxPool2d["dilation"]), call.boolean(kMaxPool2d["ceil_mode"]))));
}

void max_pool1d_with_indices(CompositeCall& call) {
  require_row(call);
  const RowWindow w = read_row_window(call);
  auto [out, indices] = ops::max_pool2d_with_indices(
      image(call.tensor(kMaxPool1dWithIndices["self"])), w.size, w.stride, w.padding,
      row_pair(call, kMaxPool1dWithIndices["dilation"], 1), call.boolean(kMaxPool1dWithIndices["ceil_mode"]));
  call.returns(row(out));
  call.returns(row(indices));
}

void avg_pool1d(CompositeCall& call) {
  require_row(call);
  const RowWindow w = read_row_window(call);
  call.returns(
      row(ops::avg_pool2d(image(call.tensor(kAvgPool1d["self"])), w.size, w.stride, w.padding,
                          call.boolean(kAvgPool1d["ceil_mode"]), call.boolean(kAvgPool1d["count_include_pad"]))));
}

void adaptive_avg_pool1d(CompositeCall& call) {
  require_row(call);
  const DimVec size = row_pair(call, kAdaptiveAvgPool1d["output_size"], 1);
  call.returns(row(ops::adaptive_avg_pool2d(image(call.tensor(kAdaptiveAvgPool1d["self"])), size)));
}

/// Writes the result to `out`, like ATen's generated `out=` overloads: if the sizes of `out` change, `out` becomes
/// row-major. Then the result is copied.
void answer_in(CompositeCall& call, const Tensor& result, const Tensor& out) {
  require_own_dtype(call, "out", out.meta(), result.dtype());
  if (!same_sizes(result.sizes(), out.sizes())) ops::resize_(out, result.sizes());
  ops::copy_(out, result);
  call.returns(out);
}

void avg_pool1d_out(CompositeCall& call) {
  constexpr auto& k = kAvgPool1d;
  answer_in(call,
            call_op<"aten.avg_pool1d.default">(call[k["self"]], call[k["kernel_size"]], call[k["stride"]],
                                               call[k["padding"]], call[k["ceil_mode"]], call[k["count_include_pad"]]),
            call.tensor(k.out()));
}

void adaptive_avg_pool1d_out(CompositeCall& call) {
  answer_in(
      call,
      ops::adaptive_avg_pool1d(call.tensor(kAdaptiveAvgPool1d["self"]), call.ints(kAdaptiveAvgPool1d["output_size"])),
      call.tensor(kAdaptiveAvgPool1d.out()));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kMaxPool1d)
      .with_rule(max_pool1d_rule)
      .cpu(run_max_cpu)
      .dtypes(kFloats)
      .sample("f32[2,3,7], [3], [2], [1]")
      .sample("f64[3,7], [2], [], [0], [2], True")
      .refuses("C1", "f32[2,3,7], [2, 2]")
      .refuses("C2", "f32[7], [2]")
      .refuses("C3", "f32[2,3,7], [9]");
  r.add(kMaxPool1dWithIndices)
      .with_composite(max_pool1d_with_indices)
      .dtypes(kReals)
      .dtypes_on_cuda(kFloats)
      .sample("f32[2,3,7], [3], [2], [1]")
      .refuses("C1", "f32[2,3,7], [2, 2]")
      .refuses("C2", "f32[7], [2]");
  r.add(kMaxPool2d)
      .with_composite(max_pool2d)
      .dtypes(kReals)
      .dtypes_on_cuda(kFloats)
      .sample("f32[2,3,7,8], [3, 3], [2, 2], [1, 1]")
      .sample("i64[3,7,8]{1,24,3}, [2]");
  OpEntry& average = r.add(kAvgPool1d)
                         .tag(Tag::Core)
                         .with_composite(avg_pool1d)
                         .dtypes(kFloats | DTypeSet{DType::I64})
                         .dtypes_on_cuda(kFloats)
                         .sample("f32[2,3,7], [3], [2], [1]")
                         .sample("f64[3,7], [2], [], [1], True, False")
                         .refuses("C1", "f32[2,3,7], [2, 2]")
                         .refuses("C2", "f32[7], [2]");
  r.add_out_alike(average, "out")
      .with_composite(avg_pool1d_out)
      .sample("f32[2,3,7], [3], [2], [1], out=f32[2,3,4]")
      .refuses("C1", "f32[2,3,7], [3], [2], [], out=f32[0]");
  OpEntry& adaptive = r.add(kAdaptiveAvgPool1d)
                          .tag(Tag::Core)
                          .with_composite(adaptive_avg_pool1d)
                          .dtypes(kFloats)
                          .sample("f32[2,3,7], [3]")
                          .sample("f32[3,7], [1]")
                          .refuses("C1", "f32[2,3,7], [2, 2]")
                          .refuses("C2", "f32[7], [2]");
  r.add_out_alike(adaptive, "out")
      .with_composite(adaptive_avg_pool1d_out)

      .sample("f32[2,3,7], [3], out=f32[2,3,3]");
}

}  // namespace ersatz::op_pool1d

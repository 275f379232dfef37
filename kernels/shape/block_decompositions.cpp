// Decompositions into core operators: channel_shuffle, im2col, max_unpool, pixel_shuffle and pixel_unshuffle.
#include "kernels/core_decompositions.h"
#include "kernels/decomposition.h"

namespace ersatz::decomposition {
namespace {

Tensor permute(const Tensor& t, const DimVec& dims) { return call_op<"aten.permute.default">(t, dims); }
Tensor reshape(const Tensor& t, const DimVec& sizes) { return call_op<"aten.reshape.default">(t, sizes); }

/// Returns the sizes before the last `count` dims.
DimVec sizes_before(const Tensor& x, int64_t count) {
  return DimVec(x.sizes().first(x.sizes().size() - static_cast<size_t>(count)));
}
DimVec joined(DimVec a, std::initializer_list<SymInt> b) {
  for (const SymInt& s : b) a.push_back(s);
  return a;
}
/// Returns a permutation of `rank` dims for `permute`. It reorders only the last `moved.size()` dims, which `moved`
/// numbers from 0.
DimVec order_of_last(int64_t rank, std::initializer_list<int64_t> moved) {
  DimVec order;
  const int64_t before = rank - static_cast<int64_t>(moved.size());
  for (int64_t d = 0; d < before; ++d) order.push_back(d);
  for (const int64_t d : moved) order.push_back(before + d);
  return order;
}
Tensor row_major_view(const Tensor& t, const DimVec& sizes) {
  return view(call_op<"aten.clone.default">(t, MemoryFormat::Contiguous), sizes);
}

/// Rearranges elements from sizes [..., c * r * r, h, w] to [..., c, h * r, w * r].
void pixel_shuffle(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const SymInt r = given(call, 1).as_int(), h = x.size(-2), w = x.size(-1);
  const SymInt c = x.size(-3).guard_int() / (r * r).guard_int();
  const DimVec outer = sizes_before(x, 3);
  const Tensor moved = permute(view(x, joined(outer, {c, r, r, h, w})), order_of_last(x.dim() + 2, {0, 3, 1, 4, 2}));
  const Tensor shuffled = row_major_view(moved, joined(outer, {c, h * r, w * r}));
  call.returns(call_op<"aten.clone.default">(shuffled, suggest_memory_format(x.meta())));
}
/// Rearranges elements from sizes [..., c, h * r, w * r] to [..., c * r * r, h, w].
void pixel_unshuffle(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const SymInt r = given(call, 1).as_int(), c = x.size(-3);
  const SymInt h = x.size(-2).guard_int() / r.guard_int(), w = x.size(-1).guard_int() / r.guard_int();
  const DimVec outer = sizes_before(x, 3);
  const Tensor moved = permute(view(x, joined(outer, {c, h, r, w, r})), order_of_last(x.dim() + 2, {0, 2, 4, 1, 3}));
  const Tensor shuffled = row_major_view(moved, joined(outer, {c * r * r, h, w}));
  call.returns(call_op<"aten.clone.default">(shuffled, suggest_memory_format(x.meta())));
}
/// Reads the channel dim as [groups, each], transposes these two dims and merges them again.
void channel_shuffle(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const SymInt groups = given(call, 1).as_int();
  const SymInt each = x.size(1).guard_int() / groups.guard_int();
  DimVec apart{x.size(0), groups, each}, order{SymInt(0), SymInt(2), SymInt(1)};
  for (int64_t d = 2; d < x.dim(); ++d) {
    apart.push_back(x.size(d));
    order.push_back(SymInt(d + 1));
  }
  call.returns(reshape(permute(view(x, apart), order), sizes_of(x)));
}

/// Returns indices into the padded spatial dim `d`, of sizes [kernel elements, windows]: one row for each kernel
/// element. `kernel_at` is the position of the argument kernel_size.
Tensor window_places(const CompositeCall& call, size_t d, const SymInt& size, size_t kernel_at, Device device) {
  const auto option = [&](size_t i) { return given(call, kernel_at + i).as_ints()[d]; };
  const SymInt kernel = option(0), dilation = option(1), padding = option(2), stride = option(3);
  const auto every = [&](const SymInt& end, const SymInt& step) {
    return call_op<"aten.arange.start_step">(0, end, step, DType::I64, Value(), device, false);
  };
  const Tensor starts = unsqueeze(every(size + padding * 2 - dilation * (kernel - 1), stride), 0);
  return add(starts, unsqueeze(every(kernel * dilation, dilation), -1));
}
Tensor padded(const Tensor& t, const SymInt& rows, const SymInt& columns) {
  return call_op<"aten.constant_pad_nd.default">(t, DimVec{columns, columns, rows, rows}, 0.0);
}
Values places_of(const Tensor& rows, const Tensor& columns) { return {Value(), Value(), Value(rows), Value(columns)}; }
/// Arguments: im2col(self, kernel_size, dilation, padding, stride).
void im2col(CompositeCall& call) {
  const bool batched = tensor(call, 0).dim() == 4;
  const Tensor x = batched ? tensor(call, 0) : unsqueeze(tensor(call, 0), 0);
  const Tensor rows = window_places(call, 0, x.size(2), 1, x.device()),
               columns = window_places(call, 1, x.size(3), 1, x.device());
  const auto padding = given(call, 3).as_ints();
  const Tensor wide = padded(x, padding[0], padding[1]);
  const Tensor upright = unsqueeze(unsqueeze(rows, -1), -1);
  const Tensor windows = call_op<"aten.index.Tensor">(wide, Value::list(places_of(upright, columns)));
  const Tensor moved = permute(windows, DimVec{0, 1, 2, 4, 3, 5});
  const Tensor joined =
      reshape(moved, {x.size(0), x.size(1) * rows.size(0) * columns.size(0), rows.size(1) * columns.size(1)});
  call.returns(batched ? joined : call_op<"aten.squeeze.dims">(joined, DimVec{SymInt(0)}));
}

/// Arguments: max_unpool2d or max_unpool3d(self, indices, output_size). An index counts elements in the image of one
/// channel. Each value of self is written to its index.
void max_unpool(CompositeCall& call) {
  const Tensor x = tensor(call, 0), indices = tensor(call, 1);
  const auto spatial = given(call, 2).as_ints();
  const int64_t dims = static_cast<int64_t>(spatial.size());
  SymInt image = 1, images = 1;
  for (const SymInt& s : spatial) image = image * s;
  DimVec each, sizes;
  for (int64_t d = 0; d < x.dim(); ++d) {
    const bool outer = d < x.dim() - dims;
    if (outer) images = images * x.size(d);
    each.push_back(outer ? x.size(d) : SymInt(1));
    sizes.push_back(outer ? x.size(d) : spatial[d - (x.dim() - dims)]);
  }
  const Tensor start = mul(view(range(0, images, x.device()), each), image);
  const Tensor places = reshape(add(indices, start), {SymInt(-1)});
  const Tensor flat = view(filled(sizes, 0, x.dtype(), x.device()), {SymInt(-1)});
  const Tensor put =
      call_op<"aten.index_put.default">(flat, Value::list(Values{Value(places)}), reshape(x, {SymInt(-1)}), false);
  call.returns(laid_out(view(put, sizes), suggest_memory_format(x.meta())));
}

constexpr Row kBlockRows[] = {
    {"aten.channel_shuffle.default", channel_shuffle}, {"aten.im2col.default", im2col},
    {"aten.max_unpool2d.default", max_unpool},         {"aten.max_unpool3d.default", max_unpool},
    {"aten.pixel_shuffle.default", pixel_shuffle},     {"aten.pixel_unshuffle.default", pixel_unshuffle},
};

}  // namespace

std::span<const Row> block_rows() { return kBlockRows; }

}  // namespace ersatz::decomposition

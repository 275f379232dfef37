// Decompositions of resampling and shuffling of images into core operators.
#include "kernels/core_decompositions.h"
#include "kernels/decomposition.h"

namespace ersatz::decomposition {
namespace {

constexpr size_t kFirstSpatial = 2;  ///< the dims of batch and channels come before the spatial dims

Tensor clamp(const Tensor& t, const Value& low, const Value& high) {
  return call_op<"aten.clamp.default">(t, low, high);
}
Tensor index(const Tensor& t, const Values& places) { return call_op<"aten.index.Tensor">(t, Value::list(places)); }

/// The input and output sizes of one spatial dim, and the distance in the input between neighbouring outputs.
struct Axis {
  SymInt in, out;
  double step = 0;
};
Axis axis(const CompositeCall& call, size_t d, bool align_corners, const Value& scale) {
  const SymInt in = tensor(call, 0).sizes()[kFirstSpatial + d], out = given(call, 1).as_ints()[d];
  const double from = static_cast<double>(in.guard_int()), to = static_cast<double>(out.guard_int());
  if (align_corners) return {in, out, to > 1 ? (from - 1) / (to - 1) : 0};
  const bool scaled = !scale.is_none() && scale.as_double() > 0;
  return {in, out, scaled ? 1 / scale.as_double() : from / to};
}
/// Returns the input coordinates of output positions 0, 1, ...
Tensor source(const Tensor& positions, const Axis& a, bool align_corners) {
  if (align_corners) return mul(positions, a.step);
  return sub(mul(add(positions, 0.5), a.step), 0.5);
}
Tensor positions(const Axis& a, const Formula& f) { return cast(range(0, a.out, f.device()), f.compute()); }
/// Returns from + (to - from) * weight.
Tensor between(const Tensor& from, const Tensor& to, const Tensor& weight) {
  return add(from, mul(sub(to, from), weight));
}
MemoryFormat format_of_result(const Tensor& input) { return suggest_memory_format(input.meta()); }

/// Decomposes upsample_nearest1d to upsample_nearest3d, and _upsample_nearest_exact1d to 3d if `exact` is true.
/// Arguments: self, size, a scale for each dim.
template <bool exact>
void nearest(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const size_t dims = given(call, 1).as_ints().size();
  Values places(kFirstSpatial);
  for (size_t d = 0; d < dims; ++d) {
    const Axis a = axis(call, d, false, given(call, 2 + d));
    const Tensor here = mul(add(range(0, a.out, x.device(), DType::F32), exact ? 0.5 : 0.0), a.step);
    Tensor place = cast(here, DType::I64);
    for (size_t after = d + 1; after < dims; ++after) place = unsqueeze(place, -1);
    places.push_back(Value(place));
  }
  call.returns(laid_out(index(x, places), format_of_result(x)));
}
/// Decomposes upsample_linear1d, upsample_bilinear2d and upsample_trilinear3d. Arguments: self, size, align_corners, a
/// scale for each dim.
void linear(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  const bool align_corners = given(call, 2).as_bool();
  const size_t dims = given(call, 1).as_ints().size();
  std::vector<Tensor> at, lower, upper;
  for (size_t d = 0; d < dims; ++d) {
    const Axis a = axis(call, d, align_corners, given(call, 3 + d));
    DimVec shape(dims - d, SymInt(1));
    shape[0] = a.out;
    at.push_back(view(clamp(source(positions(a, f), a, align_corners), 0.0, Value()), shape));
    lower.push_back(cast(at[d], DType::I64));
    upper.push_back(clamp(add(lower[d], 1), Value(), Scalar(a.in - 1)));
  }
  std::vector<Tensor> corners;  // the last dim varies fastest
  for (size_t corner = 0; corner < size_t{1} << dims; ++corner) {
    Values places(kFirstSpatial);
    for (size_t d = 0; d < dims; ++d) places.push_back(Value((corner >> (dims - 1 - d) & 1 ? upper : lower)[d]));
    corners.push_back(index(x, places));
  }
  for (size_t d = dims; d-- > 0;) {
    const Tensor weight = clamp(sub(at[d], lower[d]), 0.0, 1.0);
    for (size_t i = 0; i < corners.size() / 2; ++i) corners[i] = between(corners[2 * i], corners[2 * i + 1], weight);
    corners.resize(corners.size() / 2);
  }
  f.returns(laid_out(corners[0], format_of_result(x)));
}
/// Returns the weights of the four neighbours of a point that is `t` after the second neighbour.
std::vector<Tensor> cubic_weights(const Tensor& t) {
  constexpr double kA = -0.75;
  const auto both = [](const Tensor& a, const Tensor& b) {
    return call_op<"aten.stack.default">(Value::list(Values{Value(a), Value(b)}), 0);
  };
  const Tensor near = both(t, sub(1.0, t));
  const Tensor one_more = add(t, 1.0), far = both(one_more, sub(2.0, t));
  const Tensor outer = sub(mul(add(mul(sub(mul(far, kA), 5 * kA), far), 8 * kA), far), 4 * kA);
  const Tensor inner = add(mul(mul(sub(mul(near, kA + 2), kA + 3), near), near), 1);
  const auto parts = [](const Tensor& pair) { return call_op_all<"aten.unbind.int">(pair, 0)[0]; };
  const Value outers = parts(outer), inners = parts(inner);
  return {outers.as_list()[0].tensor(), inners.as_list()[0].tensor(), inners.as_list()[1].tensor(),
          outers.as_list()[1].tensor()};
}
std::vector<Tensor> neighbours(const Tensor& of) { return {sub(of, 1), of, add(of, 1), add(of, 2)}; }
/// Decomposes upsample_bicubic2d. Arguments: self, size, align_corners, scale of rows, scale of columns.
void bicubic(CompositeCall& call) {
  Formula f(call);
  const Tensor image = f[0];
  const bool align_corners = given(call, 2).as_bool();
  const Axis rows = axis(call, 0, align_corners, given(call, 3)),
             columns = axis(call, 1, align_corners, given(call, 4));
  const Tensor i = positions(rows, f), j = positions(columns, f);
  const Tensor x = source(j, columns, align_corners), y = unsqueeze(source(i, rows, align_corners), -1);
  const Tensor left = call_op<"aten.floor.default">(x), top = call_op<"aten.floor.default">(y);
  const Tensor behind_top = clamp(sub(y, top), 0.0, 1.0), behind_left = clamp(sub(x, left), 0.0, 1.0);
  const Tensor column = cast(left, DType::I64), row = cast(top, DType::I64);
  const std::vector<Tensor> at_rows = neighbours(row), at_columns = neighbours(column);
  const std::vector<Tensor> x_weights = cubic_weights(behind_left), y_weights = cubic_weights(behind_top);
  const auto weighted = [](const std::vector<Tensor>& parts, const std::vector<Tensor>& weights) {
    Tensor sum = mul(parts[0], weights[0]);
    for (size_t k = 1; k < parts.size(); ++k) sum = add(sum, mul(parts[k], weights[k]));
    return sum;
  };
  std::vector<Tensor> lines;
  for (const Tensor& r : at_rows) {
    std::vector<Tensor> points;
    for (const Tensor& c : at_columns) {
      const Tensor inside_row = clamp(r, 0, Scalar(rows.in - 1));
      Values places(kFirstSpatial);
      places.push_back(Value(inside_row));
      places.push_back(Value(clamp(c, 0, Scalar(columns.in - 1))));
      points.push_back(index(image, places));
    }
    lines.push_back(weighted(points, x_weights));
  }
  f.returns(laid_out(weighted(lines, y_weights), format_of_result(image)));
}

/// Returns `steps` numbers from `start` to `end`. Each number is computed from the nearer end, so that rounding is
/// symmetric.
Tensor spaced(const Value& start, const Value& end, int64_t steps, DType dtype, Device device) {
  const double step = (end.as_double() - start.as_double()) / static_cast<double>(steps - 1);
  const Tensor places = range(0, steps, device);
  const Tensor first_half = call_op<"aten.lt.Scalar">(places, static_cast<double>(steps) / 2);
  const Tensor from_start = add(mul(cast(places, dtype), step), start);
  const Tensor from_end = sub(end, mul(cast(sub(steps - 1, places), dtype), step));
  return where(first_half, from_start, from_end);
}
/// Decomposes affine_grid_generator. Arguments: theta, size, align_corners. Returns the coordinates of each element of
/// images of that size, transformed by the image's matrix in theta.
void affine_grid_generator(CompositeCall& call) {
  const Tensor theta = tensor(call, 0);
  const auto size = given(call, 1).as_ints();
  const bool align_corners = given(call, 2).as_bool();
  const int64_t dims = static_cast<int64_t>(size.size()) - 2;
  std::vector<Tensor> axes;  // coordinates along each dim, innermost dim first, then ones
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t steps = size[size.size() - 1 - d].guard_int();
    DimVec shape(dims + 1, SymInt(1));
    shape[dims - 1 - d] = steps;
    const double edge = static_cast<double>(steps - 1) / static_cast<double>(steps);
    const Value low = align_corners ? Value(-1) : Value(-edge), high = align_corners ? Value(1) : Value(edge);
    const Tensor line = steps > 1 ? spaced(low, high, steps, theta.dtype(), theta.device())
                                  : filled({SymInt(1)}, 0, theta.dtype(), theta.device());
    axes.push_back(view(line, shape));
  }
  axes.push_back(filled(DimVec(dims + 1, SymInt(1)), 1, theta.dtype(), theta.device()));
  std::vector<Tensor> columns;  // each axis in its own column of the last dim, with zeros in the other columns
  for (int64_t d = 0; d <= dims; ++d)
    columns.push_back(call_op<"aten.constant_pad_nd.default">(axes[d], DimVec{SymInt(d), SymInt(dims - d)}, 0.0));
  Tensor grid = columns[0];
  for (int64_t d = 1; d <= dims; ++d) grid = add(grid, columns[d]);
  const Tensor points = view(grid, {SymInt(-1), SymInt(dims + 1), SymInt(1)});
  const Tensor turned = unsqueeze(call_op<"aten.permute.default">(theta, DimVec{SymInt(0), SymInt(2), SymInt(1)}), 1);
  DimVec shape{size[0]};
  for (int64_t d = 0; d < dims; ++d) shape.push_back(size[2 + d]);
  shape.push_back(SymInt(dims));
  call.returns(view(sum_of(mul(points, turned), {SymInt(-2)}), shape));
}

constexpr Row kResizeRows[] = {
    {"aten._upsample_nearest_exact1d.default", nearest<true>},
    {"aten._upsample_nearest_exact2d.default", nearest<true>},
    {"aten._upsample_nearest_exact3d.default", nearest<true>},
    {"aten.affine_grid_generator.default", affine_grid_generator},
    {"aten.upsample_bicubic2d.default", bicubic},
    {"aten.upsample_linear1d.default", linear},
    {"aten.upsample_nearest1d.default", nearest<false>},
    {"aten.upsample_nearest3d.default", nearest<false>},
    {"aten.upsample_trilinear3d.default", linear},
};

}  // namespace

std::span<const Row> resize_rows() { return kResizeRows; }

}  // namespace ersatz::decomposition

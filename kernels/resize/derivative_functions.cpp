// Functions for derivatives.def: second gradients of grid_sampler that a formula there cannot express.
#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/autograd/formula.h"
#include "runtime/op/dispatch.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

enum class Interpolation : int64_t { Linear, Nearest, Cubic };
enum class Padding : int64_t { Zeros, Border, Reflection };

/// The positions in one dim of the input that a component of the grid selects, and their derivatives.
struct Axis {
  Tensor at;     ///< [N, positions]
  Tensor speed;  ///< the derivative of `at` with respect to the grid
};

Tensor where(const Tensor& condition, const Tensor& yes, const Tensor& no) {
  return call_op<"aten.where.self">(condition, yes, no);
}

/// Reflects the positions between `low` and `high`. Each reflection changes the sign of `speed`.
void reflect(Axis& a, double low, double high) {
  if (low == high) {
    a.at = zeros_like(a.at), a.speed = zeros_like(a.speed);
    return;
  }
  const double span = high - low;
  const Tensor from_low = add(a.at, Value(-low));
  const Tensor below = call_op<"aten.lt.Scalar">(from_low, 0);
  const Tensor away = call_op<"aten.abs.default">(from_low);
  a.speed = where(below, neg(a.speed), a.speed);
  const Tensor flips = call_op<"aten.floor.default">(div(away, Value(span)));
  const Tensor rest = sub(away, mul(flips, Value(span)));
  const Tensor odd = call_op<"aten.ne.Scalar">(call_op<"aten.remainder.Scalar">(flips, 2), 0);
  a.at = add(where(odd, from(span, rest), rest), Value(low));
  a.speed = where(odd, neg(a.speed), a.speed);
}

/// Clamps the positions to the input. `speed`, their derivative, becomes 0 outside of the input and at both ends.
void clip(Axis& a, int64_t size) {
  const double last = static_cast<double>(size - 1);
  const Tensor still =
      call_op<"aten.logical_or.default">(call_op<"aten.le.Scalar">(a.at, 0.0), call_op<"aten.ge.Scalar">(a.at, last));
  a.speed = unmasked(still, a.speed);
  a.at = call_op<"aten.clamp.default">(a.at, 0.0, last);
}

Axis axis_of(const Tensor& grid, int64_t size, bool align_corners, Padding padding) {
  const auto length = static_cast<double>(size);
  const double speed = align_corners ? (length - 1) / 2 : length / 2;
  Axis a{.at = add(mul(grid, Value(speed)), Value((length - 1) / 2)), .speed = mul(ones_like(grid), Value(speed))};
  if (padding == Padding::Reflection) {
    align_corners ? reflect(a, 0, length - 1) : reflect(a, -0.5, length - 0.5);
  }
  if (padding != Padding::Zeros) clip(a, size);
  return a;
}

/// The gradients of grad_output, input and grid of grid_sampler_*_backward, for linear interpolation. The weight of
/// each corner of the cell around a position is the product of (1 - distance) along all axes.
class LinearSecond {
 public:
  LinearSecond(const Tensor& grad, const Tensor& input, const Tensor& grid, Padding padding, bool align_corners)
      : grad_(grad), input_(input), grid_(grid) {
    dims_ = static_cast<size_t>(input.dim()) - 2;
    images_ = input.sizes()[0], channels_ = input.sizes()[1];
    flat_grad_ = reshape(grad, DimVec{images_, channels_, SymInt(-1)});
    flat_input_ = reshape(input, DimVec{images_, channels_, SymInt(-1)});
    // component k of the grid is the position in spatial dim dims_ - 1 - k of the input
    for (size_t d = 0; d < dims_; ++d) {
      sizes_.push_back(input.sizes()[2 + d].guard_int());
      const Tensor component = call_op<"aten.select.int">(grid, -1, static_cast<int64_t>(dims_ - 1 - d));
      axes_.push_back(axis_of(reshape(component, DimVec{images_, SymInt(-1)}), sizes_[d], align_corners, padding));
      cells_.push_back(call_op<"aten.floor.default">(axes_[d].at));
    }
  }

  /// Adds the gradients of grad_output, input and grid to `of`. `of_grid` is the incoming gradient of the grid's
  /// gradient.
  void add_directional(const Tensor& of_grid, std::array<Tensor, 3>& of, const Value& needed) {
    std::vector<Tensor> moved;
    for (size_t d = 0; d < dims_; ++d) {
      const Tensor component = call_op<"aten.select.int">(of_grid, -1, static_cast<int64_t>(dims_ - 1 - d));
      moved.push_back(mul(reshape(component, DimVec{images_, SymInt(-1)}), axes_[d].speed));
    }
    Tensor to_grad, to_input;
    std::vector<Tensor> to_grid(dims_);
    for (size_t corner = 0; corner < size_t(1) << dims_; ++corner)
      add_corner(corner, moved, to_grad, to_input, to_grid);
    if (wanted(needed, 0)) sum(of[0], reshape(to_grad, grad_.sizes()));
    if (wanted(needed, 1)) sum(of[1], reshape(to_input, input_.sizes()));
    if (wanted(needed, 2)) {
      std::vector<Value> components;
      DimVec sizes(grid_.sizes().first(grid_.sizes().size() - 1));
      for (size_t d = dims_; d-- > 0;) components.push_back(Value(reshape(mul(to_grid[d], axes_[d].speed), sizes)));
      sum(of[2], call_op<"aten.stack.default">(std::span<const Value>(components), -1));
    }
  }

 private:
  static void sum(Tensor& to, const Tensor& term) { to = to ? add(to, term) : term; }

  void add_corner(size_t corner, const std::vector<Tensor>& moved, Tensor& to_grad, Tensor& to_input,
                  std::vector<Tensor>& to_grid) const {
    std::vector<Tensor> weights, slopes;
    Tensor inside, place;
    for (size_t d = 0; d < dims_; ++d) {
      const bool upper = corner >> d & 1;
      const Tensor part = sub(axes_[d].at, cells_[d]);
      weights.push_back(upper ? part : from(1, part));
      slopes.push_back(mul(ones_like(part), Value(upper ? 1 : -1)));
      const Tensor at = upper ? add(cells_[d], Value(1)) : cells_[d];
      const Tensor in = call_op<"aten.logical_and.default">(call_op<"aten.ge.Scalar">(at, 0),
                                                            call_op<"aten.le.Scalar">(at, sizes_[d] - 1));
      inside = inside ? call_op<"aten.logical_and.default">(inside, in) : in;
      const Tensor index = cast(call_op<"aten.clamp.default">(at, 0, sizes_[d] - 1), DType::I64);
      place = place ? add(mul(place, Value(sizes_[d])), index) : index;
    }
    /// Returns the product of the weights of all axes, except that the slopes of axes `first` and `second` replace
    /// their weights.
    const auto product = [&](size_t first, size_t second) {
      Tensor p;
      for (size_t d = 0; d < dims_; ++d) {
        const Tensor& f = d == first || d == second ? slopes[d] : weights[d];
        p = p ? mul(p, f) : f;
      }
      return masked(inside, p);
    };
    Tensor along;  // how the weight changes in the direction of `of_grid`
    for (size_t d = 0; d < dims_; ++d) sum(along, mul(moved[d], product(d, d)));
    const Tensor whole = call_op<"aten.expand.default">(call_op<"aten.unsqueeze.default">(place, 1),
                                                        DimVec{images_, channels_, SymInt(-1)}, false);
    const Tensor read = call_op<"aten.gather.default">(flat_input_, 2, whole, false);
    const Tensor weight = call_op<"aten.unsqueeze.default">(along, 1);
    sum(to_grad, mul(read, weight));
    if (!to_input) to_input = zeros_like(flat_input_);
    to_input = call_op<"aten.scatter_add.default">(to_input, 2, whole, mul(flat_grad_, weight));
    const Tensor dot = call_op<"aten.sum.dim_IntList">(mul(flat_grad_, read), DimVec{1}, false, Value());
    for (size_t d = 0; d < dims_; ++d) {
      Tensor turned = zeros_like(dot);
      for (size_t e = 0; e < dims_; ++e) {
        if (e != d) turned = add(turned, mul(moved[e], product(d, e)));
      }
      sum(to_grid[d], mul(dot, turned));
    }
  }

  Tensor grad_, input_, grid_, flat_grad_, flat_input_;
  size_t dims_ = 0;
  SymInt images_, channels_;
  std::vector<int64_t> sizes_;
  std::vector<Axis> axes_;
  std::vector<Tensor> cells_;
};

/// Returns the gradients of grad_output, input and grid of grid_sampler_2d_backward or grid_sampler_3d_backward.
/// Arguments: grad0, grad1, grad_output, input, grid, interpolation_mode, padding_mode, align_corners, needed. The
/// gradient of the input is linear in grad_output, so the gradient of grad_output includes the sampler applied to
/// grad0.
Value grid_sampler_second_gradients(Arguments a) {
  const Tensor of_input = tensor(a[0]), of_grid = tensor(a[1]);
  if (!of_input && !of_grid) return {};
  const Tensor grad = a[2].tensor(), input = a[3].tensor(), grid = a[4].tensor();
  const bool flat = input.dim() == 4;
  const auto mode = static_cast<Interpolation>(a[5].as_int64());
  const int64_t padding = a[6].as_int64();
  const auto refuse = [&](std::string_view what, int64_t given, std::string_view known) {
    throw Error(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
                fmt::format("grid_sampler_{}d_backward: the second gradient of {} mode {} is not implemented; {} are",
                            flat ? 2 : 3, what, given, known));
  };
  if (mode != Interpolation::Linear && mode != Interpolation::Nearest) {
    refuse("interpolation", a[5].as_int64(), "0 (linear) and 1 (nearest)");
  }
  std::array<Tensor, 3> of;
  if (of_input) {
    if (wanted(a[8], 0)) {
      of[0] = flat ? call_op<"aten.grid_sampler_2d.default">(of_input, grid, a[5], a[6], a[7])
                   : call_op<"aten.grid_sampler_3d.default">(of_input, grid, a[5], a[6], a[7]);
    }
    if (wanted(a[8], 2)) {
      const Value only_grid = Value::list(std::array{Value(false), Value(true)});
      const Value args[] = {a[2], a[0], a[4], a[5], a[6], a[7], only_grid};
      of[2] = dispatch(flat ? op_entry<"aten.grid_sampler_2d_backward.default">()
                            : op_entry<"aten.grid_sampler_3d_backward.default">(),
                       args)[1]
                  .tensor();
    }
  }
  if (of_grid && mode == Interpolation::Linear) {
    if (padding < 0 || padding > 2) refuse("padding", padding, "0, 1 and 2");
    LinearSecond(grad, input, grid, static_cast<Padding>(padding), a[7].as_bool()).add_directional(of_grid, of, a[8]);
  }
  const auto answer = [](const Tensor& t) { return t ? Value(t) : Value(); };
  return Value::list(std::array{answer(of[0]), answer(of[1]), answer(of[2])});
}

}  // namespace

void add_resize_functions() { add_gradient_function("grid_sampler_second_gradients", grid_sampler_second_gradients); }

}  // namespace ersatz::derivatives

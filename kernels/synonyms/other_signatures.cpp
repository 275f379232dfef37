// Operators that call a second operator with changed or reordered arguments. For example, `unique_dim_consecutive`
// takes the dim first, and `_pad_enum` a number as mode. Errors have the labels of the called operator.
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_other_signatures {
namespace {

constexpr Schema kPadCircular{"aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor"};
constexpr Schema kPadEnum{"aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor"};
constexpr Schema kUniqueDim{
    "aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> "
    "(Tensor, Tensor, Tensor)"};
constexpr Schema kGridBackward{
    "aten::_grid_sampler_2d_cpu_fallback_backward(Tensor grad_output, Tensor input, Tensor grid, int "
    "interpolation_mode, int padding_mode, bool align_corners) -> (Tensor, Tensor)"};
constexpr Schema kCudnnGrid{"aten::cudnn_grid_sampler(Tensor self, Tensor grid) -> Tensor output"};
constexpr Schema kCudnnGridBackward{
    "aten::cudnn_grid_sampler_backward(Tensor self, Tensor grid, Tensor grad_output) -> (Tensor grad_self, Tensor "
    "grad_grid)"};
constexpr Schema kCudnnGridBackwardOut{
    "aten::cudnn_grid_sampler_backward.out(Tensor self, Tensor grid, Tensor grad_output, *, Tensor(a!) out0, "
    "Tensor(b!) "
    "out1) -> (Tensor(a!), Tensor(b!))"};
constexpr Schema kCudnnGridOut{
    "aten::cudnn_grid_sampler.out(Tensor self, Tensor grid, *, Tensor(a!) out) -> Tensor(a!)"};
constexpr Schema kAffine{"aten::cudnn_affine_grid_generator(Tensor theta, int N, int C, int H, int W) -> Tensor grid"};
constexpr Schema kAffineOut{
    "aten::cudnn_affine_grid_generator.out(Tensor theta, int N, int C, int H, int W, *, Tensor(a!) out) -> Tensor(a!)"};
constexpr Schema kAffineBackward{
    "aten::cudnn_affine_grid_generator_backward(Tensor grad, int N, int C, int H, int W) -> Tensor grad_theta"};
constexpr Schema kAffineBackwardOut{
    "aten::cudnn_affine_grid_generator_backward.out(Tensor grad, int N, int C, int H, int W, *, Tensor(a!) out) -> "
    "Tensor(a!)"};
constexpr Schema kIndexPut{
    "aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> "
    "Tensor"};
constexpr Schema kCumulative{"aten::{}(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()"};
constexpr Schemas kGrids{kCudnnGrid, kCudnnGridBackward};
constexpr Schemas kAffines{kAffine, kAffineBackward};

void return_all(CompositeCall& call, const Values& results) {
  for (const Value& v : results) call.returns(v);
}

void pad_circular(CompositeCall& call) {
  call.returns(call_op<"aten.pad.default">(call[kPadCircular["self"]], call[kPadCircular["pad"]],
                                           std::string_view("circular"), Value()));
}
/// [_pad_enum.C1] mode is 0 (reflect), 1 (replicate), 2 (circular) or 3 (constant).
void pad_enum(CompositeCall& call) {
  constexpr std::string_view kModes[] = {"reflect", "replicate", "circular", "constant"};
  const int64_t mode = call.integer(kPadEnum["mode"]);
  call.require(mode >= 0 && mode < 4, "C1", "mode must be 0 to 3: it is {}", mode);
  call.returns(call_op<"aten.pad.default">(call[kPadEnum["self"]], call[kPadEnum["pad"]],
                                           kModes[static_cast<size_t>(mode)], call[kPadEnum["value"]]));
}
void unique_dim(CompositeCall& call) {
  return_all(
      call, call_op_all<"aten.unique_consecutive.default">(call[kUniqueDim["self"]], call[kUniqueDim["return_inverse"]],
                                                           call[kUniqueDim["return_counts"]], call[kUniqueDim["dim"]]));
}

Values grid_gradients(const Value& grad, const Value& input, const Value& grid, const Value& interpolation,
                      const Value& padding, const Value& aligned) {
  const Value both[] = {true, true};
  return call_op_all<"aten.grid_sampler_2d_backward.default">(grad, input, grid, interpolation, padding, aligned,
                                                              std::span<const Value>(both));
}
void grid_backward(CompositeCall& call) {
  constexpr Schema k = kGridBackward;
  return_all(call, grid_gradients(call[k["grad_output"]], call[k["input"]], call[k["grid"]],
                                  call[k["interpolation_mode"]], call[k["padding_mode"]], call[k["align_corners"]]));
}
/// Calls grid_sampler_2d: bilinear interpolation, zeros beyond the border, aligned corners.
void cudnn_grid(CompositeCall& call) {
  call.returns(call_op<"aten.grid_sampler_2d.default">(call[kGrids["self"]], call[kGrids["grid"]], int64_t(0),
                                                       int64_t(0), true));
}
void cudnn_grid_backward(CompositeCall& call) {
  return_all(call, grid_gradients(call[kCudnnGridBackward["grad_output"]], call[kGrids["self"]], call[kGrids["grid"]],
                                  0, 0, true));
}

DimVec sizes(const CompositeCall& call) {
  DimVec made;
  for (Position p : {kAffines["N"], kAffines["C"], kAffines["H"], kAffines["W"]}) made.push_back(call.sym(p));
  return made;
}
void affine(CompositeCall& call) {
  call.returns(call_op<"aten.affine_grid_generator.default">(call[kAffine["theta"]], sizes(call), true));
}
void affine_backward(CompositeCall& call) {
  call.returns(
      call_op<"aten.affine_grid_generator_backward.default">(call[kAffineBackward["grad"]], sizes(call), true));
}
void written(CompositeCall& call) { write_result(call); }

template <OpName op>
void cumulative(CompositeCall& call) {
  const Values results = call_op_all<op>(call[kCumulative["self"]], call[kCumulative["dim"]]);
  ops::copy_(call.tensor(kCumulative["values"]), results[0].tensor());
  ops::copy_(call.tensor(kCumulative["indices"]), results[1].tensor());
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kPadCircular).with_composite(pad_circular).sample("f32[1,2,3], [1, 2]");
  r.add(kPadEnum).with_composite(pad_enum).sample("f32[1,2,3], [1, 2], 1").refuses("C1", "f32[1,2,3], [1, 2], 4");
  OpEntry& unique =
      r.add(kUniqueDim).tag(Tag::DataDependent).with_composite(unique_dim).sample("i64[4,5], 1, True, True");
  add_written_apart(r, unique, "out").sample("i64[4,5], 0, True, True, out0=i64[0], out1=i64[0], out2=i64[0]");
  const std::string images = "f32[1,2,3,3]", grid = "f32[1,2,2,2]";
  r.add(kGridBackward)
      .with_composite(grid_backward)
      .sample("f32[1,2,2,2], f32[1,2,3,3], f32[1,2,2,2], 0, 0, False", 0, 1);
  r.add(kCudnnGrid).with_composite(cudnn_grid).sample(images + ", " + grid, 0, 1);
  r.add(kCudnnGridOut).with_composite(written).sample(images + ", " + grid + ", out=f32[0]", 0, 1);
  r.add(kCudnnGridBackward).with_composite(cudnn_grid_backward).sample(images + ", " + grid + ", f32[1,2,2,2]", 0, 1);
  r.add(kCudnnGridBackwardOut)
      .with_composite(written)
      .sample(images + ", " + grid + ", f32[1,2,2,2], out0=f32[0], out1=f32[0]", 0, 1);
  r.add(kAffine).with_composite(affine).sample("f32[2,2,3], 2, 3, 4, 5");
  r.add(kAffineOut).with_composite(written).sample("f32[2,2,3], 2, 3, 4, 5, out=f32[0]");
  r.add(kAffineBackward).with_composite(affine_backward).sample("f32[2,4,5,2], 2, 3, 4, 5");
  r.add(kAffineBackwardOut).with_composite(written).sample("f32[2,4,5,2], 2, 3, 4, 5, out=f32[0]");
  OpEntry& put =
      r.add(kIndexPut).tag(Tag::FailsOnValues).with_composite(write_copy).sample("f32[4,3], [i64[2]], f32[3]", 0, 3);
  add_written_apart(r, put, "out").sample("f32[4,3], [i64[2]], f32[3], True, out=f32[0]", 0, 3);
  r.add(kCumulative.with("_cummax_helper"))
      .with_composite(cumulative<"aten.cummax.default">)
      .sample("f32[2,3], f32[2,3], i64[2,3], 1");
  r.add(kCumulative.with("_cummin_helper"))
      .with_composite(cumulative<"aten.cummin.default">)
      .sample("f32[2,3], f32[2,3], i64[2,3], 0");
}

}  // namespace ersatz::op_other_signatures

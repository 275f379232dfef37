#include "kernels/rnn/fused_cells.h"

#include "kernels/pointwise/arithmetic.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/cat.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/slice.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_fused_cells {
namespace {

using namespace arithmetic;

/// Raises [op.C1] or [op.C2] unless argument `p` is [batch, n * hidden], in the dtype of the state [batch, hidden].
void require_columns(const CompositeCall& call, Position p, const Tensor& state, int64_t n) {
  if (!call.has(p)) return;
  const TensorMeta& t = call.meta(p);
  const bool fits = state.dim() == 2 && t.dim() == 2 && check_eq(t.sizes[0], state.sizes()[0]) &&
                    check_eq(t.sizes[1], n * state.sizes()[1]);
  call.require(fits, "C1", "{} must be [batch, {} * hidden]: it is {}, the state is {}",
               call.op.schema.arguments[p].name, n, t, state.meta());
  call.require_dtype(t.dtype, kFloats);
  call.require(t.dtype == state.dtype(), "C2", "{} must have the dtype of the state: they are {} and {}",
               call.op.schema.arguments[p].name, t, state.meta());
}
void require_bias(const CompositeCall& call, Position p, const Tensor& state, int64_t n) {
  if (!call.has(p)) return;
  const TensorMeta& t = call.meta(p);
  call.require(t.dim() == 1 && check_eq(t.sizes[0], n * state.sizes()[1]), "C1", "{} must have {} elements: it is {}",
               call.op.schema.arguments[p].name, n * state.sizes()[1], t);
}

Tensor one_minus(const Tensor& t) { return ops::rsub(t, Scalar(1)); }
/// Returns columns n * hidden to (n + 1) * hidden, in the compute dtype.
Tensor part(const Tensor& columns, const SymInt& hidden, int64_t n) {
  return wide_operand(ops::slice(columns, 1, hidden * n, hidden * (n + 1)));
}
Tensor joined(std::initializer_list<Tensor> parts, DType dtype) {
  return ops::to(ops::cat(std::vector<Tensor>(parts), 1), dtype);
}
/// Returns `t` converted to `dtype` and row-major.
Tensor row_major(const Tensor& t, DType dtype) { return ops::contiguous(ops::to(t, dtype)); }
Tensor with_bias(const CompositeCall& call, Position gates, Position bias) {
  const Tensor t = wide_operand(call.tensor(gates));
  return call.has(bias) ? t + wide_operand(call.tensor(bias)) : t;
}

struct LstmGates {
  Tensor in, forget, candidate, out;
};
LstmGates lstm_gates(const Tensor& activated, const SymInt& hidden) {
  return {part(activated, hidden, 0), part(activated, hidden, 1), part(activated, hidden, 2),
          part(activated, hidden, 3)};
}
/// Applies the activation functions to `sums`, the sums of an LSTM's gates.
LstmGates activate(const Tensor& sums, const SymInt& hidden) {
  const LstmGates g = lstm_gates(sums, hidden);
  return {ops::sigmoid(g.in), ops::sigmoid(g.forget), ops::tanh(g.candidate), ops::sigmoid(g.out)};
}

void lstm(CompositeCall& call) {
  const Tensor cx = call.tensor(kLstm["cx"]);
  for (Position p : {kLstm["input_gates"], kLstm["hidden_gates"]}) require_columns(call, p, cx, 4);
  for (Position p : {kLstm["input_bias"], kLstm["hidden_bias"]}) require_bias(call, p, cx, 4);
  const Tensor sums = with_bias(call, kLstm["input_gates"], kLstm["input_bias"]) +
                      with_bias(call, kLstm["hidden_gates"], kLstm["hidden_bias"]);
  const LstmGates g = activate(sums, cx.sizes()[1]);
  const Tensor cy = g.forget * wide_operand(cx) + g.in * g.candidate;
  call.returns(row_major(g.out * ops::tanh(cy), cx.dtype()));
  call.returns(row_major(cy, cx.dtype()));
  call.returns(joined({g.in, g.forget, g.candidate, g.out}, cx.dtype()));
}

struct LstmGradients {
  Tensor gates, cx, bias;  ///< bias: undefined if there is none
};
/// Returns the gradients of one LSTM step. REQUIRES: at least one of `grad_hy` and `grad_cy` is defined.
LstmGradients lstm_gradients(const LstmGates& g, const Tensor& grad_hy, const Tensor& grad_cy, const Tensor& cx,
                             const Tensor& cy, bool has_bias) {
  const DType dtype = cx.dtype();
  const Tensor c = ops::tanh(wide_operand(cy));
  Tensor of_c = grad_cy ? wide_operand(grad_cy) : Tensor(), of_out = ops::mul(c, Scalar(0));
  if (grad_hy) {
    const Tensor of_h = wide_operand(grad_hy), through = of_h * g.out * one_minus(c * c);
    of_c = of_c ? of_c + through : through;
    of_out = of_h * c * g.out * one_minus(g.out);
  }
  const Tensor of_in = of_c * g.candidate * g.in * one_minus(g.in),
               of_forget = of_c * wide_operand(cx) * g.forget * one_minus(g.forget),
               of_candidate = of_c * g.in * one_minus(g.candidate * g.candidate);
  const Tensor gates = joined({of_in, of_forget, of_candidate, of_out}, dtype);
  return {gates, row_major(of_c * g.forget, dtype), has_bias ? ops::sum(gates, DimVec{SymInt(0)}) : Tensor()};
}
LstmGradients lstm_gradients(const CompositeCall& call) {
  constexpr Schemas k = kLstmBackwards;
  const Tensor cx = call.tensor(k["cx"]);
  require_columns(call, k["workspace"], cx, 4);
  for (Position p : {k["grad_hy"], k["grad_cy"], k["cy"]}) require_columns(call, p, cx, 1);
  if (!call.has(k["grad_hy"]) && !call.has(k["grad_cy"])) return {};
  return lstm_gradients(lstm_gates(call.tensor(k["workspace"]), cx.sizes()[1]), call.tensor(k["grad_hy"]),
                        call.tensor(k["grad_cy"]), cx, call.tensor(k["cy"]), call.boolean(k["has_bias"]));
}
Value or_none(const Tensor& t) { return t ? Value(t) : Value(); }
void return_all(CompositeCall& call, std::initializer_list<Tensor> tensors) {
  for (const Tensor& t : tensors) call.returns(or_none(t));
}
void lstm_backward(CompositeCall& call) {
  const LstmGradients g = lstm_gradients(call);
  return_all(call, {g.gates, g.cx, g.bias});
}
void lstm_backward_twice(CompositeCall& call) {
  const LstmGradients g = lstm_gradients(call);
  return_all(call, {g.gates, g.gates, g.cx, g.bias, g.bias});
}
void lstm_backward_from_gates(CompositeCall& call) {
  constexpr Schema k = kLstmBackwardFromGates;
  const Tensor cx = call.tensor(k["cx"]);
  for (Position p : {k["input_gates"], k["hidden_gates"]}) require_columns(call, p, cx, 4);
  for (Position p : {k["input_bias"], k["hidden_bias"]}) require_bias(call, p, cx, 4);
  for (Position p : {k["grad_hy"], k["grad_cy"], k["cy"]}) require_columns(call, p, cx, 1);
  if (!call.has(k["grad_hy"]) && !call.has(k["grad_cy"])) return return_all(call, {{}, {}, {}, {}, {}});
  const Tensor sums =
      with_bias(call, k["input_gates"], k["input_bias"]) + with_bias(call, k["hidden_gates"], k["hidden_bias"]);
  const LstmGradients g =
      lstm_gradients(activate(sums, cx.sizes()[1]), call.tensor(k["grad_hy"]), call.tensor(k["grad_cy"]), cx,
                     call.tensor(k["cy"]), call.has(k["input_bias"]));
  return_all(call, {g.gates, g.gates, g.cx, g.bias, g.bias});
}

struct GruGates {
  Tensor reset, update, candidate, hidden, from_hidden;
};
GruGates gru_gates(const Tensor& from_input, const Tensor& from_hidden, const Tensor& hx) {
  const SymInt h = hx.sizes()[1];
  const Tensor reset = ops::sigmoid(part(from_input, h, 0) + part(from_hidden, h, 0)),
               update = ops::sigmoid(part(from_input, h, 1) + part(from_hidden, h, 1)), n = part(from_hidden, h, 2);
  return {reset, update, ops::tanh(part(from_input, h, 2) + reset * n), wide_operand(hx), n};
}
void gru(CompositeCall& call) {
  const Tensor hx = call.tensor(kGru["hx"]);
  for (Position p : {kGru["input_gates"], kGru["hidden_gates"]}) require_columns(call, p, hx, 3);
  for (Position p : {kGru["input_bias"], kGru["hidden_bias"]}) require_bias(call, p, hx, 3);
  const GruGates g = gru_gates(with_bias(call, kGru["input_gates"], kGru["input_bias"]),
                               with_bias(call, kGru["hidden_gates"], kGru["hidden_bias"]), hx);
  call.returns(row_major(g.candidate + g.update * (g.hidden - g.candidate), hx.dtype()));
  call.returns(joined({g.reset, g.update, g.candidate, g.hidden, g.from_hidden}, hx.dtype()));
}
void return_gru_gradients(CompositeCall& call, const GruGates& g, const Tensor& grad_hy, bool has_bias) {
  const DType dtype = grad_hy.dtype();
  const Tensor grad = wide_operand(grad_hy);
  const Tensor of_update = grad * (g.hidden - g.candidate) * g.update * one_minus(g.update),
               of_candidate = grad * one_minus(g.update) * one_minus(g.candidate * g.candidate),
               of_reset = of_candidate * g.from_hidden * g.reset * one_minus(g.reset);
  const Tensor from_input = joined({of_reset, of_update, of_candidate}, dtype),
               from_hidden = joined({of_reset, of_update, of_candidate * g.reset}, dtype);
  const auto bias = [&](const Tensor& t) { return has_bias ? ops::sum(t, DimVec{SymInt(0)}) : Tensor(); };
  return_all(call, {from_input, from_hidden, row_major(grad * g.update, dtype), bias(from_input), bias(from_hidden)});
}
void gru_backward(CompositeCall& call) {
  const Tensor grad = call.tensor(kGruBackward["grad_hy"]), workspace = call.tensor(kGruBackward["workspace"]);
  require_columns(call, kGruBackward["workspace"], grad, 5);
  const SymInt h = grad.sizes()[1];
  return_gru_gradients(call,
                       {part(workspace, h, 0), part(workspace, h, 1), part(workspace, h, 2), part(workspace, h, 3),
                        part(workspace, h, 4)},
                       grad, call.boolean(kGruBackward["has_bias"]));
}
void gru_backward_from_gates(CompositeCall& call) {
  constexpr Schema k = kGruBackwardFromGates;
  const Tensor hx = call.tensor(k["hx"]);
  for (Position p : {k["input_gates"], k["hidden_gates"]}) require_columns(call, p, hx, 3);
  for (Position p : {k["input_bias"], k["hidden_bias"]}) require_bias(call, p, hx, 3);
  require_columns(call, k["grad_hy"], hx, 1);
  return_gru_gradients(call,
                       gru_gates(with_bias(call, k["input_gates"], k["input_bias"]),
                                 with_bias(call, k["hidden_gates"], k["hidden_bias"]), hx),
                       call.tensor(k["grad_hy"]), call.has(k["input_bias"]));
}

}  // namespace

void register_ops(Registry& r) {
  const auto with_out = [&](OpEntry& op, const std::string& sample, std::string_view outs) -> OpEntry& {
    add_written_apart(r, op.sample(sample), "out").sample(fmt::format("{}, {}", sample, outs));
    return op;
  };
  with_out(r.add(kLstm).with_composite(lstm), "f32[2,12], f32[2,12], f32[2,3]{1,2}, f32[12], f32[12]",
           "out0=f32[0], out1=f32[0], out2=f32[0]")
      .refuses("C1", "f32[2,9], f32[2,12], f32[2,3]")
      .refuses("C2", "f64[2,12], f32[2,12], f32[2,3]");
  with_out(r.add(kLstmBackward).with_composite(lstm_backward),
           "f32[2,3], f32[2,3], f32[2,3], f32[2,3], f32[2,12], True", "out0=f32[0], out1=f32[0], out2=f32[0]")
      .sample("None, None, f32[2,3], f32[2,3], f32[2,12], True")
      .refuses("C1", "f32[2,3], None, f32[2,3], f32[2,3], f32[2,9], True");
  r.add(kLstmBackwardTwice)
      .with_composite(lstm_backward_twice)
      .sample("None, f32[2,3]{1,2}, f32[2,3], f32[2,3], f32[2,12], False");
  r.add(kLstmBackwardFromGates)
      .with_composite(lstm_backward_from_gates)
      .sample("f32[2,3], None, f32[2,12], f32[2,12], f32[12], f32[12], f32[2,3], f32[2,3]")
      .refuses("C1", "f32[2,3], None, f32[2,9], f32[2,12], None, None, f32[2,3], f32[2,3]");
  with_out(r.add(kGru).with_composite(gru), "f32[2,9], f32[2,9], f32[2,3]{1,2}, f32[9], f32[9]",
           "out0=f32[0], out1=f32[0]")
      .refuses("C1", "f32[2,9], f32[2,9], f32[2,3], f32[3]");
  with_out(r.add(kGruBackward).with_composite(gru_backward), "f32[2,3]{1,2}, f32[2,15], True",
           "out0=f32[0], out1=f32[0], out2=f32[0], out3=f32[0], out4=f32[0]")
      .refuses("C1", "f32[2,3], f32[2,12], True");
  r.add(kGruBackwardFromGates)
      .with_composite(gru_backward_from_gates)
      .sample("f32[2,3], f32[2,9], f32[2,9], f32[2,3], None, None")
      .refuses("C1", "f32[2,3], f32[2,12], f32[2,9], f32[2,3], None, None");
}

}  // namespace ersatz::op_fused_cells

#include "kernels/rnn/rnn_cells.h"

#include "kernels/pointwise/arithmetic.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::rnn {
namespace {

Tensor linear(const Tensor& t, const Tensor& weight, const Tensor& bias) {
  return call_op<"aten.linear.default">(t, weight, bias);
}
Tensor add_(const Tensor& a, const Tensor& b) { return call_op<"aten.add_.Tensor">(a, b, Scalar(1)); }
Tensor mul_(const Tensor& a, const Tensor& b) { return call_op<"aten.mul_.Tensor">(a, b); }
/// Returns whether autograd keeps `gate`. All gates are views of one storage and share a version counter, so an
/// in-place write to one gate would invalidate another gate that autograd has saved.
bool keeps(const Tensor& gate) { return rule_context().grad_mode && gate.meta().requires_grad; }
Tensor sigmoid_(const Tensor& t) {
  return keeps(t) ? call_op<"aten.sigmoid.default">(t) : call_op<"aten.sigmoid_.default">(t);
}
Tensor tanh_(const Tensor& t) { return keeps(t) ? call_op<"aten.tanh.default">(t) : call_op<"aten.tanh_.default">(t); }
Tensor add_gate_(const Tensor& a, const Tensor& b) { return keeps(a) ? ops::add(a, b) : add_(a, b); }
Tensor mul_gate_(const Tensor& a, const Tensor& b) { return keeps(a) ? ops::mul(a, b) : mul_(a, b); }

/// Returns the n gates, which are adjacent columns. Raises if the weights have rows for more or fewer than n gates.
std::vector<Tensor> chunks(const Tensor& gates, int64_t n) {
  const Values split = call_op_all<"aten.unsafe_chunk.default">(gates, n, int64_t(1));
  std::vector<Tensor> result;
  for (const Value& v : split[0].as_list()) result.push_back(v.tensor());
  if (result.size() != static_cast<size_t>(n)) {
    fail_argument("a cell's weights must have rows for {} gates: they give {}", n, gates.meta());
  }
  return result;
}

State lstm(const Tensor& gates, const State& state, const Weights& w) {
  const std::vector<Tensor> g = chunks(gates, 4);
  const Tensor in = sigmoid_(g[0]), forget = sigmoid_(g[1]), candidate = tanh_(g[2]), out = sigmoid_(g[3]);
  const Tensor cell = add_(ops::mul(forget, state.cell), ops::mul(in, candidate));
  const Tensor hidden = ops::mul(out, call_op<"aten.tanh.default">(cell));
  return {w.project ? linear(hidden, w.project, Tensor()) : hidden, cell};
}
Tensor gru(const Tensor& from_input, const Tensor& from_hidden, Tensor hidden) {
  // PyTorch's fused CUDA kernel for GRU steps writes row-major states.
  if (hidden.device().is_cuda()) hidden = call_op<"aten.contiguous.default">(hidden, MemoryFormat::Contiguous);
  const std::vector<Tensor> i = chunks(from_input, 3), h = chunks(from_hidden, 3);
  const Tensor reset = sigmoid_(add_gate_(h[0], i[0])), update = sigmoid_(add_gate_(h[1], i[1]));
  const Tensor candidate = tanh_(ops::add(i[2], mul_gate_(h[2], reset)));
  return add_(mul_(ops::sub(hidden, candidate), update), candidate);
}

}  // namespace

Tensor input_gates(const Tensor& input, const Weights& weights) {
  return linear(input, weights.input, weights.input_bias);
}

State step(Cell cell, const Tensor& from_input, const State& state, const Weights& w) {
  const Tensor from_hidden = linear(state.hidden, w.hidden, w.hidden_bias);
  if (cell == Cell::Gru) return {gru(from_input, from_hidden, state.hidden), Tensor()};
  const Tensor gates = add_(from_hidden, from_input);
  if (cell == Cell::Lstm) return lstm(gates, state, w);
  return {cell == Cell::Tanh ? call_op<"aten.tanh.default">(gates) : call_op<"aten.relu.default">(gates), Tensor()};
}

}  // namespace ersatz::rnn

namespace ersatz::op_rnn_cells {
namespace {

using rnn::Cell;

constexpr Schemas kEach{kLstmCell, kGruCell, kSimpleCell};

template <Cell cell>
void run(CompositeCall& call) {
  const Tensor input = call.tensor(kEach["input"]);
  const rnn::Weights weights{call.tensor(kEach["w_ih"]), call.tensor(kEach["w_hh"]), call.tensor(kEach["b_ih"]),
                             call.tensor(kEach["b_hh"]), Tensor()};
  rnn::State state;
  if constexpr (cell == Cell::Lstm) {
    const std::span<const Value> given = call.list(kLstmCell["hx"]);
    call.require(given.size() == 2, "C1", "expects a hidden and a cell state, there are {}", given.size());
    state = {given[0].tensor(), given[1].tensor()};
  } else {
    state.hidden = call.tensor(kGruCell["hx"]);
  }
  constexpr int64_t gates = cell == Cell::Lstm ? 4 : cell == Cell::Gru ? 3 : 1;
  call.require_index(weights.hidden.dim() >= 2 && weights.input.dim() >= (gates == 1 ? 1 : 2), "C1",
                     "weights must be matrices: w_ih is {}, w_hh is {}", weights.input.meta(), weights.hidden.meta());
  const SymInt hidden = weights.hidden.sizes()[1];
  for (const Tensor& w : {weights.input, weights.hidden})
    call.require(w.dim() == 2 && check_eq(w.sizes()[0], gates * hidden), "C1",
                 "a weight must be [{}, features]: it is {}", gates * hidden, w.meta());
  call.require(input.dim() == 2 && check_eq(input.sizes()[1], weights.input.sizes()[1]), "C1",
               "input must be [batch, {}]: it is {}", weights.input.sizes()[1], input.meta());
  for (const Tensor& t : {state.hidden, state.cell}) {
    if (!t) continue;
    call.require(t.dim() == 2 && check_eq(t.sizes()[1], hidden) && check_eq(t.sizes()[0], input.sizes()[0]), "C1",
                 "a state must be [{}, {}]: it is {}", input.sizes()[0], hidden, t.meta());
  }
  const rnn::State next = rnn::step(cell, rnn::input_gates(input, weights), state, weights);
  call.returns(next.hidden);
  if (next.cell) call.returns(next.cell);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kLstmCell)
      .with_composite(run<Cell::Lstm>)
      .sample("f32[2,3], [f32[2,4], f32[2,4]], f32[16,3], f32[16,4], f32[16], f32[16]")
      .refuses("C1", "f32[2,3], [f32[2,4]], f32[16,3], f32[16,4]");
  r.add(kGruCell)
      .with_composite(run<Cell::Gru>)
      .sample("f32[2,3], f32[2,4], f32[12,3], f32[12,4]")
      .refuses("C1", "f32[2,3], f32[3,4], f32[12,3], f32[12,4]");
  for (const char* name : {"rnn_tanh_cell", "rnn_relu_cell"})
    r.add(kSimpleCell.with(name))
        .with_composite(name == std::string_view("rnn_tanh_cell") ? run<Cell::Tanh> : run<Cell::Relu>)
        .sample("f32[2,3], f32[2,4], f32[4,3], f32[4,4]")
        .refuses("C1", "f32[2,3], f32[3,4], f32[4,3], f32[4,4]");
}

}  // namespace ersatz::op_rnn_cells

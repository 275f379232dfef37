#include "kernels/rnn/rnn_layers.h"

#include <algorithm>

#include "kernels/indexing/item.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/rnn/rnn_cells.h"
#include "kernels/shape/first_elements.h"
#include "kernels/shape/slice.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_rnn_layers {
namespace {

using rnn::Cell;
using rnn::State;
using rnn::Weights;

Tensor joined(const std::vector<Tensor>& parts, int64_t dim) {
  if (parts.size() == 1) return parts[0];
  std::vector<Value> values(parts.begin(), parts.end());
  return call_op<"aten.cat.default">(std::span<const Value>(values), dim);
}
Tensor stacked(const std::vector<Tensor>& parts) {
  std::vector<Value> values(parts.begin(), parts.end());
  return call_op<"aten.stack.default">(std::span<const Value>(values), int64_t(0));
}
std::vector<Tensor> unbound(const Tensor& t) {
  const Values all = call_op_all<"aten.unbind.int">(t, int64_t(0));
  std::vector<Tensor> result;
  for (const Value& v : all[0].as_list()) result.push_back(v.tensor());
  return result;
}
State rows(const State& s, int64_t from, int64_t to) {
  const auto part = [&](const Tensor& t) { return t ? ops::narrow(t, 0, from, to - from) : t; };
  return {part(s.hidden), part(s.cell)};
}
State joined(const std::vector<State>& parts) {
  std::vector<Tensor> hidden, cell;
  for (const State& s : parts) {
    hidden.push_back(s.hidden);
    if (s.cell) cell.push_back(s.cell);
  }
  return {joined(hidden, 0), cell.empty() ? Tensor() : joined(cell, 0)};
}

/// Runs one direction of one layer over all steps.
struct Direction {
  Cell cell;
  const Weights& weights;
  bool reverse;

  /// Runs over steps of equal batch size. Returns the output [steps, batch, hidden] and the last state.
  std::pair<Tensor, State> over(const Tensor& input, State state) const {
    std::vector<Tensor> gates = unbound(rnn::input_gates(input, weights)), outputs;
    if (reverse) std::reverse(gates.begin(), gates.end());
    for (const Tensor& g : gates) {
      state = rnn::step(cell, g, state, weights);
      outputs.push_back(state.hidden);
    }
    if (reverse) std::reverse(outputs.begin(), outputs.end());
    return {stacked(outputs), state};
  }
  /// Runs over packed steps, whose batch sizes descend: later rows end earlier, or in reverse begin later. Returns the
  /// output and the last states.
  std::pair<Tensor, State> over_packed(const Tensor& data, const std::vector<int64_t>& sizes,
                                       const State& first) const {
    const Tensor gates = rnn::input_gates(data, weights);
    std::vector<Tensor> outputs;
    std::vector<State> ended;
    int64_t at = 0, active = reverse ? sizes.back() : sizes[0];
    for (const int64_t n : sizes) at += reverse ? n : 0;
    State state = reverse ? rows(first, 0, active) : first;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const int64_t n = sizes[reverse ? sizes.size() - 1 - i : i];
      if (n < active) {
        ended.push_back(rows(state, n, active));
        state = rows(state, 0, n);
      } else if (n > active) {
        state = joined({state, rows(first, active, n)});
      }
      active = n;
      if (reverse) at -= n;
      state = rnn::step(cell, ops::slice(gates, 0, SymInt(at), SymInt(at + n)), state, weights);
      if (!reverse) at += n;
      outputs.push_back(state.hidden);
    }
    ended.push_back(state);
    std::reverse(ended.begin(), ended.end());
    if (reverse) std::reverse(outputs.begin(), outputs.end());
    return {joined(outputs, 0), joined(ended)};
  }
};

/// The network that the arguments from `hx` on describe. All overloads have these arguments.
struct Network {
  Cell cell;
  std::vector<Weights> weights;
  std::vector<State> states;
  int64_t layers, directions;
  double dropout;
  bool biases, train;

  Network(const CompositeCall& call, Cell of, size_t hx) : cell(of) {
    biases = call.boolean(hx + 2);
    layers = call.integer(hx + 3), dropout = call.real(hx + 4), train = call.boolean(hx + 5);
    directions = call.boolean(hx + 6) ? 2 : 1;
    call.require(layers > 0, "C1", "there must be a layer: there are {}", layers);
  }
  size_t count() const { return static_cast<size_t>(layers * directions); }
  bool last_of(int64_t layer) const { return layer + 1 == layers; }

  /// Runs all layers. `over(direction, input, state)` runs one direction of one layer. Returns the last layer's output,
  /// and adds the new states to `hidden` and `cells`.
  template <class F>
  Tensor run(Tensor input, std::vector<Tensor>& hidden, std::vector<Tensor>& cells, F&& over) const {
    for (int64_t layer = 0; layer < layers; ++layer) {
      std::vector<Tensor> outputs;
      for (int64_t d = 0; d < directions; ++d) {
        const size_t i = static_cast<size_t>(layer * directions + d);
        const auto [output, state] = over(Direction{cell, weights[i], d == 1}, input, states[i]);
        outputs.push_back(output);
        hidden.push_back(state.hidden);
        if (state.cell) cells.push_back(state.cell);
      }
      input = joined(outputs, -1);
      if (dropout != 0 && train && !last_of(layer)) input = call_op<"aten.dropout.default">(input, dropout, true);
    }
    return input;
  }
};

/// Returns the hidden and the cell state of an LSTM. Raises [op.C1] unless there are two states with three dims.
std::pair<Tensor, Tensor> lstm_states(const CompositeCall& call, size_t hx) {
  const std::span<const Value> given = call.list(hx);
  call.require(given.size() == 2, "C1", "expects a hidden and a cell state, there are {}", given.size());
  const Tensor h = given[0].tensor(), c = given[1].tensor();
  call.require_index(h.dim() >= 3 && c.dim() >= 3, "C1", "states must have three dims: they are {} and {}", h.meta(),
                     c.meta());
  return {h, c};
}

/// Returns the network of a call. Raises [op.C1] unless the sizes of parameters and states fit.
Network shaped_network(const CompositeCall& call, Cell cell, size_t hx) {
  Network network(call, cell, hx);
  std::vector<Tensor> hidden, cells;
  bool projected = false;
  if (cell == Cell::Lstm) {
    const auto [h, c] = lstm_states(call, hx);
    projected = !size_eq(h.sizes()[2], c.sizes()[2]);
    call.require_index(h.dim() == 3, "C1", "states must have three dims: the hidden one is {}", h.meta());
    hidden = unbound(h);
    cells = unbound(c);
  } else {
    hidden = unbound(call.tensor(hx));
  }
  const std::span<const Value> params = call.list(hx + 1);
  const size_t each = (network.biases ? 4 : 2) + projected, count = network.count();
  call.require(params.size() == each * count, "C1", "{} layers of {} directions have {} parameters: given are {}",
               network.layers, network.directions, each * count, params.size());
  // Cell states beyond the `count`-th are ignored, like in PyTorch.
  call.require(hidden.size() == count && (cells.empty() || cells.size() >= count), "C1",
               "there must be {} states, there are {}", count, hidden.size());
  for (size_t i = 0; i < count; ++i) {
    const auto at = [&](size_t k) { return params[i * each + k].tensor(); };
    call.require_index(hidden[i].dim() > 0, "C1", "states must have three dims: one layer's is {}", hidden[i].meta());
    const TensorMeta& rows = at(0).meta();
    const bool fits = cell != Cell::Lstm || hidden[i].device().is_cpu() ||
                      (rows.dim() == 2 && check_eq(rows.sizes[0], 4 * cells[i].sizes().back()));
    call.require(fits, "C1",
                 "on a device other than the CPU the weights of the input have rows for each gate: they are {}", rows);
    network.weights.push_back({at(0), at(1), network.biases ? at(2) : Tensor(), network.biases ? at(3) : Tensor(),
                               projected ? at(each - 1) : Tensor()});
    network.states.push_back({hidden[i], cells.empty() ? Tensor() : cells[i]});
  }
  return network;
}

/// Returns whether PyTorch computes the network with oneDNN.
bool is_dense_lstm(const CompositeCall& call, const Tensor& input) {
  const auto [h, c] = lstm_states(call, 1);
  const bool plain = input.device().is_cpu() && input.dtype() == DType::F32;
  return plain && size_eq(h.sizes()[2], c.sizes()[2]) && !size_eq(input.numel(), 0);
}

/// Returns the first elements of `t`, which oneDNN reads, as a tensor with sizes `sizes`. Raises [lstm.C4] if `t` has
/// too few elements.
Tensor dense_part(const CompositeCall& call, const char* what, const Tensor& t, const DimVec& sizes) {
  call.require(t.dtype() == DType::F32, "C4", "{} must be f32: it is {}", what, t.meta());
  SymInt n = 1;
  for (const SymInt size : sizes) n *= size;
  call.require(check_le(n, t.numel()), "C4", "{} must have the elements of {}: it is {}", what, sizes, t.meta());
  return first_elements(t, sizes);
}

/// Returns the network as oneDNN reads it. Changes `input` to [steps, batch, features].
Network dense_network(const CompositeCall& call, Tensor& input) {
  Network network(call, Cell::Lstm, 1);
  const auto [h, c] = lstm_states(call, 1);
  call.require_index(input.dim() >= 3, "C1", "input must have three dims: it is {}", input.meta());
  input = first_elements(input, DimVec(input.sizes().first(3)));
  const SymInt batch = input.sizes()[1], hidden = h.sizes()[2], gates = 4 * hidden;
  call.require(check_lt(SymInt(0), hidden), "C1", "states must have features: the hidden one is {}", h.meta());
  const std::span<const Value> params = call.list(size_t{2});
  const size_t each = network.biases ? 4 : 2, count = network.count();
  call.require(params.size() % each == 0 && params.size() >= each * count, "C1",
               "{} layers of {} directions have {} parameters: given are {}", network.layers, network.directions,
               each * count, params.size());
  for (size_t i = 0; i < count; ++i) {
    const auto at = [&](size_t k) { return params[i * each + k].tensor(); };
    const bool first = i < static_cast<size_t>(network.directions);
    const SymInt features = first ? input.sizes()[2] : network.directions * hidden;
    Weights w{dense_part(call, "a weight", at(0), DimVec{gates, features}),
              dense_part(call, "a weight", at(1), DimVec{gates, hidden}), Tensor(), Tensor(), Tensor()};
    if (network.biases) w.input_bias = dense_part(call, "a bias", ops::add(at(2), at(3)), DimVec{gates});
    network.weights.push_back(w);
    const auto state = [&](const Tensor& t) {
      call.require_index(check_lt(SymInt(static_cast<int64_t>(i)), t.sizes()[0]), "C1",
                         "there must be {} states: they are {}", count, t.meta());
      return dense_part(call, "a state", call_op<"aten.select.int">(t, int64_t(0), SymInt(static_cast<int64_t>(i))),
                        DimVec{batch, hidden});
    };
    network.states.push_back({state(h), state(c)});
  }
  return network;
}

/// Returns the new states with the sizes of `given`. If `given` has more elements, the additional elements are zero.
Tensor dense_states(const std::vector<Tensor>& states, const Tensor& given) {
  const Tensor all = stacked(states);
  DimVec sizes(given.sizes());
  sizes[0] = all.sizes()[0];
  if (sym_eq(all.sizes(), sizes)) return all;
  SymInt room = 1;
  for (const SymInt size : std::span<const SymInt>(sizes).subspan(1)) room *= size;
  const Tensor rows = ops::reshape(all, DimVec{sizes[0], SymInt(-1)});
  const SymInt behind[] = {SymInt(0), room - rows.sizes()[1]};
  return ops::reshape(call_op<"aten.constant_pad_nd.default">(rows, std::span<const SymInt>(behind), Scalar(0)), sizes);
}

template <Cell cell>
void input_form(CompositeCall& call) {
  Tensor input = call.tensor(size_t{0});
  const bool batch_first = call.boolean(size_t{8});
  if (batch_first) input = call_op<"aten.transpose.int">(input, int64_t(0), int64_t(1));
  const bool dense = cell == Cell::Lstm && is_dense_lstm(call, input);
  const Network network = dense ? dense_network(call, input) : shaped_network(call, cell, 1);
  call.require(input.dim() > 0 && !size_eq(input.sizes()[0], 0), "C2", "there must be a step: input is {}",
               input.meta());
  std::vector<Tensor> hidden, cells;
  Tensor output = network.run(input, hidden, cells,
                              [](const Direction& d, const Tensor& x, const State& state) { return d.over(x, state); });
  if (batch_first) output = call_op<"aten.transpose_.default">(output, int64_t(0), int64_t(1));
  call.returns(output);
  if (dense) {
    const auto [h, c] = lstm_states(call, 1);
    call.returns(dense_states(hidden, h));
    call.returns(dense_states(cells, c));
    return;
  }
  call.returns(stacked(hidden));
  if (!cells.empty()) call.returns(stacked(cells));
}
template <Cell cell>
void data_form(CompositeCall& call) {
  const Tensor given = call.tensor(size_t{1});
  call.require(
      given.device().is_cpu() && given.dtype() == DType::I64 && given.dim() == 1 && !size_eq(given.sizes()[0], 0), "C3",
      "batch_sizes must be i64 on the CPU, in one dim: it is {}", given.meta());
  call.require(size_eq(given.sizes()[0], 1) || size_eq(given.strides()[0], 1), "C3",
               "batch_sizes must be adjacent in memory: it is {}", given.meta());
  const Network network = shaped_network(call, cell, 2);
  std::vector<int64_t> sizes;
  int64_t rows = 0;
  for (const Tensor& size : unbound(given)) {
    sizes.push_back(ops::item(size).to_int());
    rows += sizes.back();
    call.require(sizes.back() > 0 && check_le(SymInt(rows), call.meta(size_t{0}).sizes[0]), "C3",
                 "batch_sizes must be positive and add up to the rows of data: {}", call.meta(size_t{0}));
  }
  call.require(check_eq(SymInt(rows), call.meta(size_t{0}).sizes[0]), "C3", "batch_sizes add up to {}, data is {}",
               rows, call.meta(size_t{0}));
  std::vector<Tensor> hidden, cells;
  call.returns(network.run(
      call.tensor(size_t{0}), hidden, cells,
      [&](const Direction& d, const Tensor& x, const State& state) { return d.over_packed(x, sizes, state); }));
  call.returns(stacked(hidden));
  if (!cells.empty()) call.returns(stacked(cells));
}

template <Cell cell, class S>
void add(Registry& r, const S& input, const S& data, int64_t gates) {
  const std::string hx = cell == Cell::Lstm ? "[f32[2,2,4], f32[2,2,4]]" : "f32[2,2,4]";
  const std::string one = fmt::format("f32[{0},3], f32[{0},4], f32[{0}], f32[{0}]", gates * 4);
  const std::string rest = fmt::format(", {}, [{}, {}], True, 1, 0.0, False, True", hx, one, one);
  const std::string fewer = fmt::format(", {}, [{}], True, 1, 0.0, False, True", hx, one);
  r.add(input)
      .tag(Tag::Random)
      .with_composite(input_form<cell>)
      .sample("f32[5,2,3]" + rest + ", False")
      .sample("f32[2,5,3]" + rest + ", True")
      .refuses("C1", "f32[5,2,3]" + fewer + ", False")
      .refuses("C2", "f32[0,2,3]" + rest + ", False");
  r.add(data)
      .tag(Tag::Random)
      .tag(Tag::DataDependent)
      .with_composite(data_form<cell>)
      .sample("f32[4,3], i64[2]" + rest, 2, 2)
      .refuses("C1", "f32[4,3], i64[2]" + fewer)
      .refuses("C3", "f32[4,3], i32[2]" + rest);
}

}  // namespace

void register_ops(Registry& r) {
  add<Cell::Lstm>(r, kLstm, kLstmData, 4);
  add<Cell::Gru>(r, kRnn.with("gru"), kRnnData.with("gru"), 3);
  add<Cell::Tanh>(r, kRnn.with("rnn_tanh"), kRnnData.with("rnn_tanh"), 1);
  add<Cell::Relu>(r, kRnn.with("rnn_relu"), kRnnData.with("rnn_relu"), 1);
}

}  // namespace ersatz::op_rnn_layers

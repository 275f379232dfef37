#include "kernels/rnn/rnn_layers.h"

#include <algorithm>

#include "kernels/indexing/item.h"
#include "kernels/rnn/rnn_cells.h"
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
  const auto part = [&](const Tensor& t) { return t ? ops::slice(t, 0, SymInt(from), SymInt(to)) : t; };
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

/// One direction of one layer over all steps.
struct Direction {
  Cell cell;
  const Weights& weights;
  bool reverse;

  /// Steps of one length: output [steps, batch, hidden].
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
  /// Packed steps: sequences end, or, backwards, begin, with rows that come last.
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

/// The arguments from `hx` on, which all forms have.
struct Network {
  Cell cell;
  std::vector<Weights> weights;
  std::vector<State> states;
  int64_t layers, directions;
  double dropout;
  bool train;

  Network(const CompositeCall& call, Cell of, size_t hx) : cell(of) {
    const bool biases = call.boolean(hx + 2);
    layers = call.integer(hx + 3), dropout = call.real(hx + 4), train = call.boolean(hx + 5);
    directions = call.boolean(hx + 6) ? 2 : 1;
    std::vector<Tensor> hidden, cells;
    bool projected = false;
    if (cell == Cell::Lstm) {
      const std::span<const Value> given = call.list(hx);
      call.require(given.size() == 2, "C1", "expects a hidden and a cell state, there are {}", given.size());
      const TensorMeta &h = given[0].tensor_impl()->meta, &c = given[1].tensor_impl()->meta;
      call.require_index(h.dim() >= 3 && c.dim() >= 3, "C1", "states must have three dims: they are {} and {}", h, c);
      projected = !size_eq(h.sizes[2], c.sizes[2]);
      hidden = unbound(given[0].tensor());
      cells = unbound(given[1].tensor());
    } else {
      hidden = unbound(call.tensor(hx));
    }
    const std::span<const Value> params = call.list(hx + 1);
    const size_t each = (biases ? 4 : 2) + projected,
                 count = static_cast<size_t>(std::max<int64_t>(0, layers * directions));
    call.require(layers > 0 && params.size() == each * count, "C1",
                 "{} layers of {} directions have {} parameters: given are {}", layers, directions, each * count,
                 params.size());
    call.require_index(cells.empty() || call.list(hx)[0].tensor_impl()->meta.dim() == 3, "C1",
                       "states must have three dims: the hidden one is {}",
                       cells.empty() ? hidden[0].meta() : call.list(hx)[0].tensor_impl()->meta);
    call.require(hidden.size() == count && (cells.empty() || cells.size() == count), "C1",
                 "there must be {} states, there are {}", count, hidden.size());
    for (size_t i = 0; i < count; ++i) {
      const auto at = [&](size_t k) { return params[i * each + k].tensor(); };
      const TensorMeta &state = cells.empty() ? hidden[i].meta() : cells[i].meta(), rows = at(0).meta();
      call.require_index(state.dim() > 0, "C1", "states must have three dims: one layer's is {}", state);
      call.require(cell != Cell::Lstm || (rows.dim() == 2 && check_eq(rows.sizes[0], 4 * state.sizes.back())), "C1",
                   "the weights of {} features are [{}, ...]: these are {}", state.sizes.back(), 4 * state.sizes.back(),
                   rows);
      weights.push_back(
          {at(0), at(1), biases ? at(2) : Tensor(), biases ? at(3) : Tensor(), projected ? at(each - 1) : Tensor()});
      states.push_back({hidden[i], cells.empty() ? Tensor() : cells[i]});
    }
  }

  /// `over(direction, input, state)` runs one direction; gives the last layer's output and all states.
  template <class F>
  void run(CompositeCall& call, Tensor input, bool batch_first, F&& over) const {
    std::vector<Tensor> hidden, cells;
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
      if (dropout != 0 && train && layer + 1 < layers) input = call_op<"aten.dropout.default">(input, dropout, true);
    }
    if (batch_first) input = call_op<"aten.transpose_.default">(input, int64_t(0), int64_t(1));
    call.returns(input);
    call.returns(stacked(hidden));
    if (!cells.empty()) call.returns(stacked(cells));
  }
};

template <Cell cell>
void input_form(CompositeCall& call) {
  Tensor input = call.tensor(size_t{0});
  const bool batch_first = call.boolean(size_t{8});
  if (batch_first) input = call_op<"aten.transpose.int">(input, int64_t(0), int64_t(1));
  const Network network(call, cell, 1);
  call.require(input.dim() > 0 && !size_eq(input.sizes()[0], 0), "C2", "there must be a step: input is {}",
               input.meta());
  network.run(call, input, batch_first,
              [](const Direction& d, const Tensor& x, const State& state) { return d.over(x, state); });
}
template <Cell cell>
void data_form(CompositeCall& call) {
  const Tensor given = call.tensor(size_t{1});
  call.require(
      given.device().is_cpu() && given.dtype() == DType::I64 && given.dim() == 1 && !size_eq(given.sizes()[0], 0), "C3",
      "batch_sizes must be i64 on the CPU, in one dim: it is {}", given.meta());
  const Network network(call, cell, 2);
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
  network.run(call, call.tensor(size_t{0}), false,
              [&](const Direction& d, const Tensor& x, const State& state) { return d.over_packed(x, sizes, state); });
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

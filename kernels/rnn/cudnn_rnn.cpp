#include "kernels/rnn/cudnn_rnn.h"

#include "kernels/creation/full.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/functional_forms.h"
#include "runtime/op/argument_tag.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_cudnn_rnn {
namespace {

constexpr int64_t kLstmMode = 2;

/// The network that a call computes. The arguments that describe the network have different positions in the operators'
/// schemas.
struct Network {
  int64_t mode, layers, directions, parameters;  ///< parameters: the number of parameters of one layer and direction
  SymInt hidden, proj;

  int64_t gates() const { return mode == kLstmMode ? 4 : mode == 3 ? 3 : 1; }
  SymInt out() const { return projects() ? proj : hidden; }
  bool projects() const { return size_ne(proj, 0); }
  bool has_biases() const { return parameters >= 4; }
  /// Returns the sizes of parameter k of a layer whose input has `features` features.
  DimVec sizes(int64_t k, const SymInt& features) const {
    const SymInt rows = gates() * hidden;
    if (k == 0) return {rows, features};
    if (k == 1) return {rows, out()};
    return is_bias(k) ? DimVec{rows} : DimVec{proj, hidden};
  }
  bool is_bias(int64_t k) const { return has_biases() && (k == 2 || k == 3); }
};

void check(const RuleCall& call, const Network& net, std::span<const Value> weight) {
  call.require(net.mode >= 0 && net.mode <= 3 && (net.mode == kLstmMode || !net.projects()), "C1",
               "mode must be 0 to 3, and an LSTM's where states are projected: it is {}", net.mode);
  const int64_t least = net.projects() ? 3 : 2;
  call.require(net.parameters == least || net.parameters == least + 2, "C3",
               "there must be {} or {} parameters for a layer and direction: there are {}", least, least + 2,
               net.parameters);
  call.require(net.layers > 0 && static_cast<int64_t>(weight.size()) == net.layers * net.directions * net.parameters,
               "C3", "{} layers of {} directions must have {} parameters each: there are {} in all", net.layers,
               net.directions, net.parameters, weight.size());
}

/// Returns the number of elements of the buffer, biases included. Sets `places` to the position of each parameter in
/// the buffer.
SymInt buffer_size(const Network& net, const SymInt& features, std::vector<SymInt>* places = nullptr) {
  SymInt at = 0;
  const int64_t parts = net.layers * net.directions;
  if (places) places->assign(static_cast<size_t>(parts * net.parameters), SymInt(0));
  for (const bool biases : {false, true}) {
    for (int64_t part = 0; part < parts; ++part) {
      const SymInt in = part < net.directions ? features : net.out() * net.directions;
      if (biases && !net.has_biases()) at += 2 * net.gates() * net.hidden;
      for (int64_t k = 0; k < net.parameters; ++k) {
        if (net.is_bias(k) != biases) continue;
        if (places) (*places)[static_cast<size_t>(part * net.parameters + k)] = at;
        SymInt n = 1;
        for (const SymInt size : net.sizes(k, in)) n *= size;
        at += n;
      }
    }
  }
  return at;
}

constexpr Schemas kBoth{kForward, kBackward};

/// Raises [op.C3] unless each parameter has the sizes that the network requires and the dtype of the input. Raises
/// [op.C4] unless the states have the dtype of the input.
void require_parameters(const RuleCall& call, const Network& net, const TensorMeta& in) {
  const std::span<const Value> weight = call.list(kForward["weight"]);
  for (size_t i = 0; i < weight.size(); ++i) {
    const TensorMeta& w = weight[i].tensor_impl()->meta;
    const auto at = static_cast<int64_t>(i);
    const SymInt features = at / net.parameters < net.directions ? in.sizes.back() : net.out() * net.directions;
    const DimVec sizes = net.sizes(at % net.parameters, features);
    call.require(w.dtype == in.dtype && w.sizes.size() == sizes.size() && check_eq(w.sizes, sizes), "C3",
                 "parameter {} must have the sizes {} and the dtype of input: it is {}, input is {}", i, sizes, w, in);
  }
  for (Position p : {kForward["hx"], kForward["cx"]})
    call.require(!call.has(p) || call.meta(p).dtype == in.dtype, "C4",
                 "{} must have the dtype of input: they are {} and {}", call.op.schema.arguments[p].name,
                 call.has(p) ? call.meta(p) : in, in);
}

template <class Call>
Network network(const Call& call, Position parameters, Position mode, Position hidden, Position layers,
                Position bidirectional) {
  return {call[mode].as_int().guard_int(),
          call[layers].as_int().guard_int(),
          call[bidirectional].as_bool() ? 2 : 1,
          call[parameters].as_int().guard_int(),
          call[hidden].as_int(),
          call[hidden + 1].as_int()};
}
template <class Call>
Network forward_network(const Call& call) {
  return network(call, kForward["weight_stride0"], kForward["mode"], kForward["hidden_size"], kForward["num_layers"],
                 kForward["bidirectional"]);
}

/// The sizes of the results, computed from input, states and network. The function `shapes` raises [op.C2] and [op.C4].
struct Shapes {
  DimVec output, output_strides, hidden, cell;
};
Shapes shapes(const RuleCall& call, const Network& net, Position hx_at, Position cx_at, bool batch_first,
              std::span<const SymInt> batch_sizes) {
  const TensorMeta& in = call.meta(kBoth["input"]);
  const bool packed = !batch_sizes.empty();
  call.require(in.dim() == (packed ? 2 : 3), "C2", "input must have {} dims: it is {}", packed ? 2 : 3, in);
  Shapes s;
  const SymInt width = net.out() * net.directions;
  SymInt batch;
  if (packed) {
    SymInt sum = 0;
    for (size_t i = 0; i < batch_sizes.size(); ++i) {
      call.require(check_gt(batch_sizes[i], 0) && (i == 0 || check_le(batch_sizes[i], batch_sizes[i - 1])), "C2",
                   "batch_sizes must be positive, and not grow: they are {}", batch_sizes);
      sum += batch_sizes[i];
    }
    call.require(check_eq(sum, in.sizes[0]), "C2",
                 "batch_sizes must add up to the rows of input: they are {}, input is {}", batch_sizes, in);
    batch = batch_sizes[0];
    s.output = {in.sizes[0], width};
    s.output_strides = contiguous_strides(s.output);
  } else {
    const SymInt steps = in.sizes[batch_first ? 1 : 0];
    batch = in.sizes[batch_first ? 0 : 1];
    s.output = {steps, batch, width};
    s.output_strides = contiguous_strides(s.output);
    if (batch_first) {
      std::swap(s.output[0], s.output[1]);
      std::swap(s.output_strides[0], s.output_strides[1]);
    }
  }
  const SymInt parts = net.layers * net.directions;
  s.hidden = {parts, batch, net.out()};
  s.cell = {parts, batch, net.hidden};
  call.require(call.has(cx_at) == (net.mode == kLstmMode), "C1", "an LSTM has a cell state, others have none");
  const auto is = [](const TensorMeta& t, const DimVec& sizes) { return t.dim() == 3 && check_eq(t.sizes, sizes); };
  call.require(is(call.meta(hx_at), s.hidden), "C4", "hx must have the sizes {}: it is {}", s.hidden, call.meta(hx_at));
  call.require(!call.has(cx_at) || is(call.meta(cx_at), s.cell), "C4", "cx must have the sizes {}: it is {}", s.cell,
               call.has(cx_at) ? call.meta(cx_at) : in);
  return s;
}

void forward_rule(RuleCall& call) {
  const Network net = forward_network(call);
  check(call, net, call.list(kForward["weight"]));
  const TensorMeta &in = call.meta(kForward["input"]), &hx = call.meta(kForward["hx"]);
  call.require_dtype(in.dtype, kFloats);
  call.require(in.dim() > 0 && check_ne(in.sizes[0], 0) && check_ne(in.sizes[in.dim() > 1 ? 1 : 0], 0), "C2",
               "there must be a step: input is {}", in);
  require_parameters(call, net, in);
  const Shapes s = shapes(call, net, kForward["hx"], kForward["cx"], call.boolean(kForward["batch_first"]),
                          call.ints(kForward["batch_sizes"]));
  call.out.fresh(TensorMeta(in.dtype, s.output, s.output_strides, call.device));
  call.out.fresh(TensorMeta(hx.dtype, s.hidden, call.device));
  const bool has_cell = call.has(kForward["cx"]);
  call.out.fresh(TensorMeta(has_cell ? call.meta(kForward["cx"]).dtype : hx.dtype,
                            has_cell ? s.cell : DimVec{SymInt(0)}, call.device));
  call.out.fresh(TensorMeta(DType::U8, DimVec{SymInt(0)}, call.device));
  if (call.has(kForward["weight_buf"])) return call.out.same(call.tensor(kForward["weight_buf"]));
  call.out.fresh(TensorMeta(in.dtype, DimVec{buffer_size(net, in.sizes.back())}, call.device));
}

/// Copies each parameter to its place in the buffer.
void fill_buffer(const Tensor& buffer, const Network& net, const SymInt& features, std::span<const Value> weight) {
  std::vector<SymInt> places;
  buffer_size(net, features, &places);
  fill_elements(buffer, 0);
  for (size_t k = 0; k < weight.size(); ++k) {
    const Tensor from = weight[k].tensor();
    TensorMeta place = buffer.meta();
    place.sizes = DimVec(from.sizes());
    place.strides = contiguous_strides(from.sizes());
    place.offset += places[k];
    copy_elements(make_view(buffer, std::move(place)), from);
  }
}

/// Calls the operator for this network in kernels/rnn/rnn_layers.h: rnn_relu, rnn_tanh, lstm or gru.
void run_forward(KernelCall& call) {
  constexpr const char* kNames[] = {"rnn_relu", "rnn_tanh", "lstm", "gru"};
  const Network net = forward_network(call);
  const std::span<const SymInt> batch_sizes = call[kForward["batch_sizes"]].as_ints();
  const Tensor input = call.tensor(kForward["input"]), hx = call.tensor(kForward["hx"]);
  Values arguments{input}, results;
  if (!batch_sizes.empty()) {
    const Tensor sizes = make_real_tensor(TensorMeta(DType::I64, DimVec{SymInt(int64_t(batch_sizes.size()))}));
    for (size_t i = 0; i < batch_sizes.size(); ++i) sizes.data<int64_t>()[i] = batch_sizes[i].as_int();
    arguments.push_back(sizes);
  }
  const Value states[] = {hx, call[kForward["cx"]].borrowed()};
  if (net.mode == kLstmMode) {
    arguments.push_back(Value::list(states));
  } else {
    arguments.push_back(hx);
  }
  for (const Value& v : {call[kForward["weight"]].borrowed(), Value(net.has_biases()), Value(net.layers),
                         call[kForward["dropout"]].borrowed(), call[kForward["train"]].borrowed(),
                         call[kForward["bidirectional"]].borrowed()})
    arguments.push_back(v);
  if (batch_sizes.empty()) arguments.push_back(call[kForward["batch_first"]].borrowed());
  dispatch(op_named(fmt::format("aten.{}.{}", kNames[net.mode], batch_sizes.empty() ? "input" : "data")), arguments,
           results);
  for (size_t k = 0; k < results.size(); ++k) copy_elements(call.outputs[k], results[k].tensor());
  if (!call.has(kForward["weight_buf"]))
    fill_buffer(call.outputs[4], net, input.sizes().back(), call.list(kForward["weight"]));
}

void backward_rule(RuleCall& call) {
  constexpr Schema k = kBackward;
  const Network net =
      network(call, k["weight_stride0"], k["mode"], k["hidden_size"], k["num_layers"], k["bidirectional"]);
  const std::span<const Value> weight = call.list(k["weight"]);
  check(call, net, weight);
  const TensorMeta& in = call.meta(k["input"]);
  call.require_dtype(in.dtype, kFloats);
  const Shapes s = shapes(call, net, k["hx"], k["cx"], call.boolean(k["batch_first"]), call.ints(k["batch_sizes"]));
  for (const auto& [p, sizes] : {std::pair(k["output"], s.output), std::pair(k["grad_output"], s.output),
                                 std::pair(k["grad_hy"], s.hidden), std::pair(k["grad_cy"], s.cell)}) {
    if (!call.has(p)) continue;
    const TensorMeta& t = call.meta(p);
    call.require(t.sizes.size() == sizes.size() && check_eq(t.sizes, sizes), "C5",
                 "{} must have the sizes {}: it is {}", call.op.schema.arguments[p].name, sizes, t);
  }
  const bool any = call.has(k["grad_output"]) || call.has(k["grad_hy"]) || call.has(k["grad_cy"]);
  const auto mask = call.list(k["output_mask"]);
  const auto asked = [&](size_t i) { return any && mask[i].as_bool(); };
  if (asked(0)) {
    TensorMeta& out = call.out.fresh(TensorMeta(in.dtype, in.sizes, call.device));
    if (call.boolean(k["batch_first"]) && in.dim() == 3) {
      const SymInt swapped[] = {in.sizes[1], in.sizes[0], in.sizes[2]};
      out.strides = contiguous_strides(swapped);
      std::swap(out.strides[0], out.strides[1]);
    }
  } else {
    call.out.none();
  }
  for (const auto& [i, p] : {std::pair(size_t(1), k["hx"]), std::pair(size_t(2), k["cx"])}) {
    if (asked(i) && call.has(p)) {
      call.out.fresh(TensorMeta(call.meta(p).dtype, call.meta(p).sizes, call.device));
    } else {
      call.out.none();
    }
  }
  for (const Value& v : weight) {
    if (asked(3)) {
      const TensorMeta& w = v.tensor_impl()->meta;
      call.out.fresh(TensorMeta(w.dtype, w.sizes, call.device));
    } else {
      call.out.none();
    }
  }
}

void flatten(CompositeCall& call) {
  constexpr Schema k = kFlatten;
  const Network net =
      network(call, k["weight_stride0"], k["mode"], k["hidden_size"], k["num_layers"], k["bidirectional"]);
  const std::span<const Value> weight = call.list(k["weight_arr"]);
  check(call, net, weight);
  std::vector<SymInt> places;
  const SymInt n = buffer_size(net, call.sym(k["input_size"]), &places);
  const TensorMeta& first = weight[0].tensor_impl()->meta;
  const Tensor buffer = ops::zeros(DimVec{n}, {.dtype = first.dtype, .device = first.device});
  for (size_t i = 0; i < weight.size(); ++i) {
    const Tensor w = weight[i].tensor();
    const auto part = static_cast<int64_t>(i) / net.parameters;
    const SymInt in = part < net.directions ? call.sym(k["input_size"]) : net.out() * net.directions;
    const DimVec sizes = net.sizes(static_cast<int64_t>(i) % net.parameters, in);
    call.require(w.sizes().size() == sizes.size() && check_eq(w.sizes(), sizes) && w.dtype() == first.dtype, "C3",
                 "parameter {} must have the sizes {}, and one dtype with the others: it is {}", i, sizes, w.meta());
    const Tensor place =
        call_op<"aten.as_strided.default">(buffer, w.sizes(), contiguous_strides(w.sizes()), Value(places[i]));
    ops::copy_(place, w);
    call_op<"aten.set_.source_Tensor">(w, place);
  }
  call.returns(buffer);
}

}  // namespace

void register_ops(Registry& r) {
  const std::string lstm = "[f32[8,3], f32[8,2], f32[8], f32[8]], 4, ", states = "f32[1,3,2], f32[1,3,2], ";
  const std::string shape = "2, 2, 0, 1, False, 0.0, False, False, ";
  OpEntry& network = r.add(kForward);
  network.tag(Tag::Random | kMayReturnArgument)
      .with_rule(forward_rule)
      .every_device(run_forward)
      .sample("f32[4,3,3], " + lstm + "None, " + states + shape + "[], None")
      .sample("f32[5,3], " + lstm + "f32[56], " + states + shape + "[3, 2], None")
      .sample(
          "f32[4,3,3], [f32[6,3], f32[6,2], f32[6,3], f32[6,2]], 2, None, f32[2,4,2], None, 3, 2, 0, 1, True, 0.0, "
          "True, True, [], None")
      .refuses("C1", "f32[4,3,3], " + lstm + "None, f32[1,3,2], None, " + shape + "[], None")
      .refuses("C2", "f32[5,3], " + lstm + "None, " + states + shape + "[3, 3], None")
      .refuses("C3", "f32[4,3,3], [f32[8,3], f32[8,2]], 4, None, " + states + shape + "[], None")
      .refuses("C4", "f32[4,3,3], " + lstm + "None, f32[1,3,3], f32[1,3,2], " + shape + "[], None");
  add_written_apart(r, network, "out")
      .sample("f32[4,3,3], " + lstm + "None, " + states + shape +
              "[], None, out0=f32[0], out1=f32[0], out2=f32[0], out3=u8[0], out4=f32[0]");
  r.add(kBackward)
      .tag(Tag::Random)
      .with_rule(backward_rule)
      .refuses("C5", "f32[4,3,3], " + lstm + "f32[56], " + states + "f32[4,3,3], None, None, None, " + shape +
                         "[], None, u8[0], [True, True, True, True]");
  OpEntry& flat = r.add(kFlatten).with_composite(flatten);
  const std::string arrays = "[f32[8,3], f32[8,2], f32[8], f32[8]], 4, 3, 2, 2, 0, 1, False, False";
  flat.sample(arrays).refuses("C3", "[f32[8,3], f32[8,3], f32[8], f32[8]], 4, 3, 2, 2, 0, 1, False, False");
  add_written_apart(r, flat, "out").sample(arrays + ", out=f32[0]");
}

}  // namespace ersatz::op_cudnn_rnn

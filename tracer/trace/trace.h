// Running a C++ function and keeping what it did as a program.
//
//   Program p = trace([](std::span<const Value> x) { return Values{ops::relu(x[0].tensor())}; }, {x}, options);
//
// The function gets what it would get without tracing: real tensors, fakes, or fakes whose sizes are symbols. Each call
// of an operator that it makes becomes a node, in order; what PyTorch calls implicit composites (`linear`,
// `softmax.int`) is recorded as the calls that it is made of. Arguments may be lists, nested; each leaf is an input, in
// order. The program has one output for each leaf of what the function returns.
//
// Tensors that the function finds elsewhere become inputs too, parameters and constants, with their values: what the
// program holds of them stays as it was when they were met. A tensor that enters as a literal (`lift_fresh`) is copied
// each time the program runs.
//
// Source: the existing system's make_fx, whose modes and messages these are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fake/mode/fake_mode.h"
#include "tracer/program/program.h"

namespace ersatz {

class DecompositionTable;

enum class TraceMode : uint8_t {
  Real,      ///< kernels run, sizes are numbers; reading a value that depends on an input is a TraceError
  Fake,      ///< metadata only, sizes are numbers; what depends on data is a symbol
  Symbolic,  ///< metadata only; sizes of inputs and plain integers among them are symbols
};
std::string_view name(TraceMode m);  ///< `real`, `fake`, `symbolic`
/// InvalidArgument for another text.
TraceMode parse_trace_mode(std::string_view text);

struct TraceOptions {
  TraceMode mode = TraceMode::Fake;
  /// Operators that are recorded as what their decompositions call, beside implicit composites.
  const DecompositionTable* decompositions = nullptr;
  /// Implicit composites are recorded whole.
  bool keep_composites = false;
  /// Real tensors that the function finds elsewhere are accepted where everything else is fake.
  bool allow_non_fake_inputs = false;
  /// Reading the value of a traced tensor in real mode is refused; else the value is used, and the program holds it.
  bool refuse_data_dependent = true;
  /// Fakes that no node of the trace has made are constants of unknown value instead of errors.
  bool allow_stray_fakes = false;
  /// Of the graph's inputs; `arg0`, `arg1`, ... where there are none, `x.0.1` for leaves of lists.
  std::vector<std::string> input_names = {};
  /// What a tensor that the function finds elsewhere is called; empty, or for tensors without an answer:
  /// `_param_constant0`, `_tensor_constant0`.
  std::function<std::string(const Tensor& found)> captured_name = {};
  std::string producer = "ersatz trace";
};

using TracedFunction = std::function<std::vector<Value>(std::span<const Value>)>;

/// Raises what the function raises; TraceError where what it does cannot be recorded. The modes of the thread are then
/// as before. With fake inputs, or in a fake mode, that mode is used; InvalidArgument where there are two.
Program trace(const TracedFunction& function, std::span<const Value> inputs, const TraceOptions& options = {});

}  // namespace ersatz

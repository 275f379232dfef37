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
// Nodes know the SourceLine that was in force, and the module that ran: a model opens a ModuleCall
// (fake/object/module_call.h) where a forward does. The parameters and buffers of that module's tree have their
// registered names in the program.
//
// Source: the existing system's make_fx, whose modes and messages these are.
#pragma once

#include <functional>
#include <map>
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
  /// Calls are recorded as they were made, before autocast: composites whole, and those made under another grad mode,
  /// or under autocast, as graphs of `wrap_with_set_grad_enabled` and `wrap_with_autocast`.
  bool pre_dispatch = false;
  /// A number of elements that is a symbol is one node, `aten.sym_numel`, and not the product of the sizes.
  bool count_elements = false;
  /// Nodes say which call of the function they are a part of (Node::call).
  bool record_calls = false;
  /// Where no SourceLine is in force, nodes have the calls of C++ functions that were active: some microseconds a node.
  bool capture_stacks = false;
  /// No node writes: what the function writes becomes values that later calls use, and what became of its inputs is an
  /// output that says so (`UserInputMutation`, `BufferMutation`, `ParameterMutation`), before the function's own ones.
  /// Nodes that nothing uses are left out. TraceError where an operator writes and has no functional form.
  bool functional = false;
  /// Of a functional trace: takes up views that the strides of the trace do not allow and that are made of a copy.
  /// Null: they are errors.
  std::vector<std::string>* copied_views = nullptr;
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
  /// What the function is called; empty: the type of the module that it runs, if all of its nodes stand in one.
  std::string function = {};
  /// Arguments whose lists a call of the program empties (tracer/run/program_call.h).
  std::vector<std::string> steals = {};
  std::string producer = "ersatz trace";
  /// Where the tracer counts, if anywhere: the calls that reach it (`calls.tracer`), and of these the queries that are
  /// no node (`traced.asked`) and what is recorded as its parts (`traced.expanded`).
  std::map<std::string, int64_t>* counters = nullptr;
};

using TracedFunction = std::function<std::vector<Value>(std::span<const Value>)>;

/// Raises what the function raises; TraceError where what it does cannot be recorded. The modes of the thread are then
/// as before. With fake inputs, or in a fake mode, that mode is used; InvalidArgument where there are two.
Program trace(const TracedFunction& function, std::span<const Value> inputs, const TraceOptions& options = {});

/// The fake mode of a trace that finds none at hand: its symbols are those of `env`, and with `keeps_sizes` sizes and
/// integers that are numbers stay so.
FakeMode make_trace_mode(const TraceOptions& options, std::shared_ptr<ShapeEnv> env, bool keeps_sizes);

/// In a function that is being traced: records another one as a program of its own, with the same options and in the
/// same fake mode; the trace around it gains no node. TraceError where no trace runs on the thread.
Program trace_isolated(const TracedFunction& function, std::span<const Value> inputs,
                       std::vector<std::string> input_names = {});

}  // namespace ersatz

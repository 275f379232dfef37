// Runs a C++ function and records its calls as a program.
//
//   Program p = trace([](std::span<const Value> x) { return Values{ops::relu(x[0].tensor())}; }, {x}, options);
//
// The function gets real tensors, fakes, or fakes with symbolic sizes. Each operator call that it makes becomes a node,
// in order. For an implicit composite of PyTorch (`linear`, `softmax.int`), the calls that it makes are recorded.
// Arguments may be nested lists; each leaf is an input, in order. The program has one output for each leaf of the
// function's result.
//
// Tensors that the function captures become inputs too, as parameters and constants. The program stores the values that
// they have at their first use. A tensor that comes from a literal (`lift_fresh`) is copied each time the program runs.
//
// Nodes record the current SourceLine and the current module: a model constructs a ModuleCall
// (fake/object/module_call.h) in each forward. Parameters and buffers of that module tree have their registered names
// in the program.
//
// Source: PyTorch's make_fx, from which the tracing modes and the messages are taken.
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
  Real,      ///< kernels run and sizes are numbers; reading a value that depends on an input raises TraceError
  Fake,      ///< fakes run and sizes are numbers; a size or number that depends on data is a symbol
  Symbolic,  ///< fakes run; sizes of inputs, and integers that are inputs, are symbols
};
std::string_view name(TraceMode m);  ///< `real`, `fake`, `symbolic`
/// Parses the name of a mode. RAISES InvalidArgument for another text.
TraceMode parse_trace_mode(std::string_view text);

struct TraceOptions {
  TraceMode mode = TraceMode::Fake;
  /// The operators that are recorded as the calls of their decompositions, in addition to implicit composites.
  const DecompositionTable* decompositions = nullptr;
  /// Records an implicit composite as one node.
  bool keep_composites = false;
  /// Records calls before autocast changes them, and composites as one node. Calls that were made in another grad mode,
  /// or under autocast, become graphs of `wrap_with_set_grad_enabled` and `wrap_with_autocast`.
  bool pre_dispatch = false;
  /// Records a symbolic number of elements as one node, `aten.sym_numel`, instead of the product of the sizes.
  bool count_elements = false;
  /// Records for each node which operator call of the function made it (Node::call).
  bool record_calls = false;
  /// If no SourceLine is set, stores the active calls of C++ functions in nodes. Takes some microseconds for each node.
  bool capture_stacks = false;
  /// Records no writes: each write becomes a new value, which later calls use. The final value of a written input is an
  /// output (`UserInputMutation`, `BufferMutation`, `ParameterMutation`) that precedes the function's own outputs.
  /// Nodes whose results are unused are left out. RAISES TraceError if an operator writes and has no functional form.
  bool functional = false;
  /// In a functional trace, a view may be impossible for the strides in the trace. If this is set, the view is taken of
  /// a copy, and a line about it is added here. If it is null, the view raises its error.
  std::vector<std::string>* copied_views = nullptr;
  /// If the arguments are fakes, the function may still capture real tensors.
  bool allow_non_fake_inputs = false;
  /// In real mode, reading the value of a traced tensor raises. If false, the value is read and becomes part of the
  /// program.
  bool refuse_data_dependent = true;
  /// If the function uses a fake that no node of the trace made, the fake becomes a constant of unknown value. If
  /// false, an error is raised.
  bool allow_stray_fakes = false;
  /// Names of the graph's inputs. The default names are `arg0`, `arg1`, ...; a leaf of a list argument is named
  /// `x.0.1`.
  std::vector<std::string> input_names = {};
  /// Returns a name for a tensor that the function captures. If the function or its result is empty, the tensor is
  /// named `_param_constant0` or `_tensor_constant0`.
  std::function<std::string(const Tensor& found)> captured_name = {};
  /// Name of the function. If it is empty, the type of the module in whose forward all nodes were made is used, if
  /// there is one.
  std::string function = {};
  /// Names of arguments whose lists a call of the program empties (tracer/run/program_call.h).
  std::vector<std::string> steals = {};
  std::string producer = "ersatz trace";
  /// If not null, gets counts of calls that reach the tracer (`calls.tracer`), of queries among them, which get no node
  /// (`traced.asked`), and of decomposed calls (`traced.expanded`).
  std::map<std::string, int64_t>* counters = nullptr;
};

using TracedFunction = std::function<std::vector<Value>(std::span<const Value>)>;

/// Traces the function. RAISES the function's errors, and TraceError if a call cannot be recorded. Afterwards the
/// thread's modes are as before. The function runs in the fake mode of the inputs or, if they have none, in the active
/// fake mode. RAISES InvalidArgument if there are two different modes.
Program trace(const TracedFunction& function, std::span<const Value> inputs, const TraceOptions& options = {});

/// Makes a fake mode for a trace that has none. Its symbols are in `env`. If `keeps_sizes` is set, sizes and integers
/// that are numbers stay numbers.
FakeMode make_trace_mode(const TraceOptions& options, std::shared_ptr<ShapeEnv> env, bool keeps_sizes);

/// Records another function as a program of its own while a traced function runs, with its options and fake mode. No
/// nodes are added to the outer trace. RAISES TraceError if no trace runs on the thread.
Program trace_isolated(const TracedFunction& function, std::span<const Value> inputs,
                       std::vector<std::string> input_names = {});

}  // namespace ersatz

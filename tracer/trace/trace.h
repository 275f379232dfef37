// Runs a C++ function and records its calls as a program.
//
//   Program p = trace([](std::span<const Value> x) { return Values{ops::relu(x[0].tensor())}; }, {x}, options);
//
// The function gets real tensors, fakes, or fakes with symbolic sizes. Each operator call that it makes becomes a node,
// in order. PyTorch's implicit composites (`linear`, `softmax.int`) are recorded as the calls that they make. Arguments
// may be nested lists; each leaf is an input, in order. The program has one output for each leaf of the function's
// result.
//
// Tensors that the function captures become inputs too, as parameters and constants. The program stores their values as
// they are at their first use. A tensor that enters as a literal (`lift_fresh`) is copied each time the program runs.
//
// Nodes record the current SourceLine and the current module: a model opens a ModuleCall (fake/object/module_call.h) in
// each forward. Parameters and buffers of that module's tree have their registered names in the program.
//
// Source: PyTorch's make_fx, whose modes and messages these are.
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
/// Raises InvalidArgument for another text.
TraceMode parse_trace_mode(std::string_view text);

struct TraceOptions {
  TraceMode mode = TraceMode::Fake;
  /// Operators that are recorded as the calls of their decompositions, besides implicit composites.
  const DecompositionTable* decompositions = nullptr;
  /// Records implicit composites as one node each.
  bool keep_composites = false;
  /// Records calls as they were made, before autocast. Composites stay whole. Calls in another grad mode or under
  /// autocast become graphs of `wrap_with_set_grad_enabled` and `wrap_with_autocast`.
  bool pre_dispatch = false;
  /// Records a symbolic number of elements as one node, `aten.sym_numel`, and not as the product of the sizes.
  bool count_elements = false;
  /// Records the function's call to which each node belongs (Node::call).
  bool record_calls = false;
  /// If no SourceLine is set, records the active calls of C++ functions in nodes. Costs some microseconds a node.
  bool capture_stacks = false;
  /// Records no writes: each write becomes a new value, which later calls use. The final value of a written input is an
  /// output (`UserInputMutation`, `BufferMutation`, `ParameterMutation`) before the function's own outputs. Unused
  /// nodes are left out. Raises TraceError if an operator writes and has no functional form.
  bool functional = false;
  /// In a functional trace, receives the views that the trace's strides do not allow and that are taken of a copy.
  /// Null: these views raise an error.
  std::vector<std::string>* copied_views = nullptr;
  /// Accepts real tensors that the function captures while its arguments are fakes.
  bool allow_non_fake_inputs = false;
  /// Refuses to read the value of a traced tensor in real mode. If false, the value is used and stored in the program.
  bool refuse_data_dependent = true;
  /// Treats fakes that no node of the trace made as constants of unknown value instead of raising.
  bool allow_stray_fakes = false;
  /// Names of the graph's inputs. Defaults are `arg0`, `arg1`, ...; a leaf of a list is `x.0.1`.
  std::vector<std::string> input_names = {};
  /// Returns the name of a tensor that the function captures. If empty, or if it returns an empty name, the name is
  /// `_param_constant0` or `_tensor_constant0`.
  std::function<std::string(const Tensor& found)> captured_name = {};
  /// The function's name. If empty, the type of the module whose forward made all nodes, if there is one.
  std::string function = {};
  /// Arguments whose lists a call of the program empties (tracer/run/program_call.h).
  std::vector<std::string> steals = {};
  std::string producer = "ersatz trace";
  /// Counts, unless null: calls that reach the tracer (`calls.tracer`), and among these the queries without a node
  /// (`traced.asked`) and the decomposed calls (`traced.expanded`).
  std::map<std::string, int64_t>* counters = nullptr;
};

using TracedFunction = std::function<std::vector<Value>(std::span<const Value>)>;

/// Raises the function's errors, and TraceError if a call cannot be recorded. The thread's modes are restored in both
/// cases. The fake mode of the inputs, or the active one, is used. Raises InvalidArgument if these are two.
Program trace(const TracedFunction& function, std::span<const Value> inputs, const TraceOptions& options = {});

/// Returns the fake mode for a trace without one at hand. Its symbols are in `env`. With `keeps_sizes`, sizes and
/// integers that are numbers stay numbers.
FakeMode make_trace_mode(const TraceOptions& options, std::shared_ptr<ShapeEnv> env, bool keeps_sizes);

/// Records another function as a program of its own, inside of a traced function, with the same options and in the same
/// fake mode. The outer trace gets no nodes. Raises TraceError if no trace runs on the thread.
Program trace_isolated(const TracedFunction& function, std::span<const Value> inputs,
                       std::vector<std::string> input_names = {});

}  // namespace ersatz

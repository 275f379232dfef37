// Prepares a graph to run: arguments are bound to schemas once, so that a run only copies values into slots.
//
// Each node has a `Step`: its op, its complete arguments, the arguments that are values of the graph (`Patch`), and the
// values that it uses last. Literals and defaults are converted here. If the arguments of a node cannot be bound, its
// step has the error, which is raised when the node runs.
//
// A PreparedProgram does not change, so several interpreters may run it. REQUIRES: the program outlives it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/error.h"
#include "tracer/program/program.h"

namespace ersatz {

struct PrepareOptions {
  /// Replaces devices that are literal arguments (`--device`).
  std::optional<Device> device;
};

/// A slot, and the graph value that a run copies into it.
struct Patch {
  enum class Into : uint8_t {
    Argument,  ///< a slot in the arena of arguments
    Item,      ///< a slot in the arena of items: an element of a list
    Integer    ///< a slot in the arena of integers: an element of an int list
  };
  Into into = Into::Argument;
  uint16_t position = 0;  ///< position of the argument in the schema
  uint32_t slot = 0;
  ValueId value = kNone;
};

/// A list argument with values of the graph. `slot` borrows the list from the arena of items or integers.
struct ListSlot {
  uint32_t slot = 0;
  bool integers = false;
  ArgRange items;
};

struct Step {
  enum class Kind : uint8_t {
    Call,        ///< a known operator with bound arguments
    Rebind,      ///< a known operator whose arguments must be bound in each run
    Number,      ///< a function on numbers (tracer/program/sym_functions.h)
    Uncallable,  ///< an unknown operator, or a higher-order node whose kind or operators are unknown
    Faulty       ///< a known operator whose arguments do not fit the schema; `faults` has the error
  };
  Kind kind = Kind::Uncallable;
  const OpEntry* entry = nullptr;
  ArgRange args;     ///< range in PreparedProgram::args
  ArgRange patches;  ///< range in PreparedProgram::patches
  ArgRange frees;    ///< range in PreparedProgram::frees
};

class HigherOrderOp;

class PreparedProgram {
 public:
  explicit PreparedProgram(const Program& program, const PrepareOptions& options = {})
      : PreparedProgram(program, program.main(), options) {}
  PreparedProgram(const Program& program, const Graph& graph, const PrepareOptions& options = {});
  ~PreparedProgram();

  const Program& program() const { return program_; }
  const Graph& graph() const { return graph_; }

  std::vector<Step> steps;  ///< one for each node
  std::vector<Value> args;
  std::vector<Value> items;
  std::vector<SymInt> integers;
  std::vector<Patch> patches;
  std::vector<ListSlot> list_slots;
  std::vector<ValueId> frees;
  /// Pairs of a node and an input that it uses last, in order of nodes. A run that took over its inputs frees them
  /// there.
  std::vector<std::pair<NodeId, ValueId>> input_frees;
  std::vector<std::pair<NodeId, Error>> faults;
  std::vector<std::unique_ptr<HigherOrderOp>> higher_order;  ///< the operators made for higher-order nodes
  /// Higher-order nodes that cannot be called because operators in their nested graphs are not registered.
  std::vector<std::pair<NodeId, const HigherOrderOp*>> incomplete;
  /// Returns the unregistered operators that a node needs, in its nested graphs too. If there are any, the node cannot
  /// be called.
  std::vector<std::string> missing_ops(NodeId node) const;
  /// Returns each unregistered operator, with the number of nodes that need it.
  std::vector<std::pair<std::string, int64_t>> missing_ops() const;

 private:
  const Program& program_;
  const Graph& graph_;
};

}  // namespace ersatz

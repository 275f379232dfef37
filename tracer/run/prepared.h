// A graph prepared to run: arguments are bound to schemas once, so that a run only copies values into slots.
//
// Each node has a `Step`: its op, its complete argument list, the arguments that are values of the graph (`Patch`), and
// the values that it uses last. Literals and defaults are converted only here. A node whose arguments cannot be bound
// is stored with the error, which running it raises.
//
// A PreparedProgram is immutable, and several interpreters may run it. The program must outlive it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/error.h"
#include "tracer/program/program.h"

namespace ersatz {

struct PrepareOptions {
  /// Replaces device literals among arguments (`--device`).
  std::optional<Device> device;
};

/// The slot into which a value of the graph is copied.
struct Patch {
  enum class Into : uint8_t {
    Argument,  ///< slot of the argument arena
    Item,      ///< slot of the item arena: an element of a list
    Integer    ///< slot of the integer arena: an element of an int list
  };
  Into into = Into::Argument;
  uint16_t position = 0;  ///< schema position of the argument
  uint32_t slot = 0;
  ValueId value = kNone;
};

/// A list argument that contains values of the graph. Its slot borrows the list.
struct ListSlot {
  uint32_t slot = 0;
  bool integers = false;
  ArgRange items;
};

struct Step {
  enum class Kind : uint8_t {
    Call,        ///< a known operator, bound
    Rebind,      ///< a known operator whose arguments must be bound in each run
    Number,      ///< a function on numbers (tracer/program/sym_functions.h)
    Uncallable,  ///< an unknown operator, or a higher-order one of unknown kind or with unknown parts
    Faulty       ///< known, but its arguments do not fit the schema; `faults` has the error
  };
  Kind kind = Kind::Uncallable;
  const OpEntry* entry = nullptr;
  ArgRange args;     ///< in PreparedProgram::args
  ArgRange patches;  ///< in PreparedProgram::patches
  ArgRange frees;    ///< in PreparedProgram::frees
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

  std::vector<Step> steps;  ///< one per node
  std::vector<Value> args;
  std::vector<Value> items;
  std::vector<SymInt> integers;
  std::vector<Patch> patches;
  std::vector<ListSlot> list_slots;
  std::vector<ValueId> frees;
  /// Inputs and the nodes that use them last, in order of nodes. A run whose inputs are given up frees them there.
  std::vector<std::pair<NodeId, ValueId>> input_frees;
  std::vector<std::pair<NodeId, Error>> faults;
  std::vector<std::unique_ptr<HigherOrderOp>> higher_order;  ///< the operators of higher-order nodes
  /// Higher-order operators that cannot be called, with their nodes: operators of their nested graphs are missing.
  std::vector<std::pair<NodeId, const HigherOrderOp*>> incomplete;
  /// Returns the unregistered operators that a node needs, itself or in its nested graphs. If there are any, the node
  /// cannot be called.
  std::vector<std::string> missing_ops(NodeId node) const;
  /// Returns each unregistered operator with the number of nodes that cannot be called without it.
  std::vector<std::pair<std::string, int64_t>> missing_ops() const;

 private:
  const Program& program_;
  const Graph& graph_;
};

}  // namespace ersatz

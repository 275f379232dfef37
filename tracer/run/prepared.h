// A graph made ready to run: arguments bound to schemas once, so that a run only puts values into slots.
//
// For each node a `Step`: which op, where its complete argument list is, which of its arguments are values of the
// graph (`Patch`), which values are used for the last time. Literals and defaults are converted here and never again.
// A node that cannot be bound (wrong arguments) is kept with its error, which running it raises.
//
// A PreparedProgram is immutable and may be run by several interpreters; the program must outlive it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/error.h"
#include "tracer/program/program.h"

namespace ersatz {

struct PrepareOptions {
  /// Device literals among arguments become this one (`--device`).
  std::optional<Device> device;
};

/// Where a value of the graph goes.
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

/// An argument that is a list with values of the graph in it; its slot borrows the list.
struct ListSlot {
  uint32_t slot = 0;
  bool integers = false;
  ArgRange items;
};

struct Step {
  enum class Kind : uint8_t {
    Call,        ///< a known operator, bound
    Rebind,      ///< a known operator whose arguments must be bound anew each time
    Number,      ///< a function on numbers (tracer/program/sym_functions.h)
    Uncallable,  ///< unknown, or higher-order of an unknown kind or with unknown parts
    Faulty       ///< known, but its arguments do not fit: `faults` has the error
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
  /// Inputs that a run may free, each behind the node that uses it last, in order of nodes: those that are given up.
  std::vector<std::pair<NodeId, ValueId>> input_frees;
  std::vector<std::pair<NodeId, Error>> faults;
  std::vector<std::unique_ptr<HigherOrderOp>> higher_order;  ///< operators that higher-order nodes are
  /// Those of them that cannot be called, behind their nodes: operators of their nested graphs are missing.
  std::vector<std::pair<NodeId, const HigherOrderOp*>> incomplete;
  /// What is not registered of the operators that a node needs, its own or those of its nested graphs: with any, the
  /// node cannot be called.
  std::vector<std::string> missing_ops(NodeId node) const;
  /// The same of all nodes: by operator, how many nodes cannot be called without it.
  std::vector<std::pair<std::string, int64_t>> missing_ops() const;

 private:
  const Program& program_;
  const Graph& graph_;
};

}  // namespace ersatz

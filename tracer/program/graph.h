// Graphs of a program: values in SSA form, and nodes in execution order.
//
// A `Node` consists of a few numbers, so that a graph may have millions of nodes. Its arguments and results are ranges
// in an arena of the `Program` (tracer/program/program.h), which also owns names, literals, metadata and nested graphs.
// A `ValueId` is an index into the values of one graph.
//
// Invariants (checked by tracer/program/verify.h)
// G1  Every value is defined once, by an input or as a result of one node.
// G2  A node uses only values that inputs or earlier nodes of its graph define. A nested graph uses no value of the
// graph around it.
// G3  Names of values are unique within a graph and never empty.
// G4  A list that has only literals is itself a literal. A `List` argument has at least one value, graph or operator.
#pragma once

#include <cstdint>
#include <vector>

#include "tracer/program/name_pool.h"

namespace ersatz {

using ValueId = uint32_t;
using NodeId = uint32_t;
/// An index with this value refers to nothing.
inline constexpr uint32_t kNone = UINT32_MAX;

/// A range in the program's arena of arguments, Program::args.
struct ArgRange {
  uint32_t first = 0;
  uint32_t count = 0;
};

/// An argument or a result of a node.
struct Arg {
  enum class Kind : uint8_t {
    None,     ///< the value None; as a result: an undefined tensor
    Value,    ///< index: a ValueId of the graph
    Literal,  ///< index: into Program::literals
    /// Index: into Program::lists; as an argument it has an item that is no literal; as a result it may be empty.
    List,
    Dict,      ///< index: into Program::lists; `name` of each item is its key
    Graph,     ///< index: into Program::graphs
    Operator,  ///< index: into Program::ops
  };
  NameId name = 0;  ///< keyword or key; 0: positional, or an item of a list
  Kind kind = Kind::None;
  uint32_t index = 0;
};

enum class ValueKind : uint8_t {
  Unknown,  ///< not recorded, which occurs in hand-written text
  Tensor,
  Int,
  Float,
  Bool,
  Object  ///< an object that is no tensor or number: torchbind object, string, None
};

/// A value, and the metadata that the program's author recorded for it. They are evidence and may be wrong.
struct GraphValue {
  NameId name = 0;
  ValueKind kind = ValueKind::Unknown;
  /// If the value is a tensor: index into Program::metas. Else index into Program::literals: an int (perhaps symbolic),
  /// a float, a bool, the text of an expression that is no integer, or the class of an object.
  uint32_t record = kNone;
  NodeId node = kNone;    ///< the node that defines the value; kNone: it is an input
  ValueId alias = kNone;  ///< an earlier value on the same storage, as recorded
};

struct Node {
  uint32_t op = 0;            ///< index into Program::ops
  NameId name = 0;            ///< the exporter's name of the node; facts.json uses it
  NameId source = 0;          ///< source line, `model.py:17 in forward: h = relu(x)`
  uint32_t module = kNone;    ///< index into Program::modules: the innermost module whose call made the node
  uint32_t original = kNone;  ///< index into Program::ops: the outermost operator that was decomposed into this node
  uint32_t call = kNone;      ///< index into Program::calls: the user's call that the node comes from
  ArgRange args;
  ArgRange results;        ///< Args of kind None, Value, or List (for a `Tensor[]` result)
  bool one_tuple = false;  ///< the operator returns a tuple that has only one result (higher-order operators do)
};

enum class InputKind : uint8_t {
  UserInput,
  Parameter,
  Buffer,
  LooseBuffer,  ///< a non-persistent buffer: it is not saved with the weights
  TensorConstant,
  CustomObject,
  Token,
  ConstantInput  ///< a number, bool, string or None that the export made constant; its record is its value
};

struct GraphInput {
  ValueId value = kNone;
  InputKind kind = InputKind::UserInput;
  NameId target = 0;        ///< qualified name of the parameter, buffer or constant
  uint32_t stored = kNone;  ///< index into Program::weights: the stored value; kNone: the caller passes the value
};

enum class OutputKind : uint8_t {
  UserOutput,
  Loss,
  BufferMutation,  ///< the value is copied into the buffer `target` after the run
  ParameterMutation,
  UserInputMutation,
  GradientToParameter,
  GradientToUserInput,
  Token
};

struct GraphOutput {
  Arg value;  ///< an Arg of kind Value, Literal or None
  OutputKind kind = OutputKind::UserOutput;
  NameId target = 0;
};

struct Graph {
  NameId name = 0;  ///< 0 for the main graph
  std::vector<GraphValue> values;
  std::vector<Node> nodes;
  std::vector<GraphInput> inputs;
  std::vector<GraphOutput> outputs;
  bool single_result = false;  ///< for a nested graph: it returns its only output without a tuple
};

}  // namespace ersatz

// Graphs: values in SSA form, and nodes in execution order.
//
// A `Node` is a few numbers, so that graphs may have millions of nodes. Its arguments and results are ranges of an
// arena in the `Program` (tracer/program/program.h), which also owns names, literals, metadata and nested graphs. A
// `ValueId` is an index into one graph.
//
// Invariants (checked by tracer/program/verify.h)
// G1  Every value is defined once, by an input or as a result of one node.
// G2  A node uses only values that inputs or earlier nodes of its graph define. A nested graph captures no outer value.
// G3  Names of values are unique within a graph and never empty.
// G4  A list that has only literals is itself a literal. A `List` argument has at least one value, graph or operator.
#pragma once

#include <cstdint>
#include <vector>

#include "tracer/program/name_pool.h"

namespace ersatz {

using ValueId = uint32_t;
using NodeId = uint32_t;
/// The null value of every index in this file.
inline constexpr uint32_t kNone = UINT32_MAX;

/// A range of the program's argument arena.
struct ArgRange {
  uint32_t first = 0;
  uint32_t count = 0;
};

/// An argument or a result.
struct Arg {
  enum class Kind : uint8_t {
    None,      ///< None; as a result, an undefined tensor
    Value,     ///< index: ValueId in the graph
    Literal,   ///< index: Program::literals
    List,      ///< index: Program::lists; an argument has an item that is no literal, a result may be empty
    Dict,      ///< index: Program::lists; each item has its key in `name`
    Graph,     ///< index: Program::graphs
    Operator,  ///< index: Program::ops
  };
  NameId name = 0;  ///< keyword or key; 0: positional, or an item of a list
  Kind kind = Kind::None;
  uint32_t index = 0;
};

enum class ValueKind : uint8_t {
  Unknown,  ///< not recorded, in hand-written text
  Tensor,
  Int,
  Float,
  Bool,
  Object  ///< an opaque object: torchbind, string, None
};

/// A value and the metadata that the program's author recorded for it. Recorded metadata is evidence and may be wrong.
struct GraphValue {
  NameId name = 0;
  ValueKind kind = ValueKind::Unknown;
  /// Tensor: index into Program::metas. Otherwise index into Program::literals: an int (maybe symbolic), float, bool,
  /// the text of an expression that is no integer, or an object's class.
  uint32_t record = kNone;
  NodeId node = kNone;    ///< the node that defines it; kNone: an input
  ValueId alias = kNone;  ///< an earlier value that shares its storage, as recorded
};

struct Node {
  uint32_t op = 0;            ///< Program::ops
  NameId name = 0;            ///< the exporter's name of the node; facts.json uses it
  NameId source = 0;          ///< source line, `model.py:17 in forward: h = relu(x)`
  uint32_t module = kNone;    ///< Program::modules: the innermost module whose call made the node
  uint32_t original = kNone;  ///< Program::ops: the outermost operator that was decomposed into this node
  uint32_t call = kNone;      ///< Program::calls: the user's call to which the node belongs
  ArgRange args;
  ArgRange results;        ///< Arg kinds None, Value and List (a `Tensor[]` result)
  bool one_tuple = false;  ///< a higher-order op that returns a tuple with its only result
};

enum class InputKind : uint8_t {
  UserInput,
  Parameter,
  Buffer,
  LooseBuffer,  ///< a non-persistent buffer, which is not saved with the weights
  TensorConstant,
  CustomObject,
  Token,
  ConstantInput  ///< a specialized number, bool, string or None; its record is its value
};

struct GraphInput {
  ValueId value = kNone;
  InputKind kind = InputKind::UserInput;
  NameId target = 0;        ///< qualified name of a parameter, buffer or constant
  uint32_t stored = kNone;  ///< Program::weights: its stored value; kNone: the caller passes the value
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
  Arg value;  ///< kinds Value, Literal, None
  OutputKind kind = OutputKind::UserOutput;
  NameId target = 0;
};

struct Graph {
  NameId name = 0;  ///< 0 for the main graph
  std::vector<GraphValue> values;
  std::vector<Node> nodes;
  std::vector<GraphInput> inputs;
  std::vector<GraphOutput> outputs;
  bool single_result = false;  ///< a nested graph that returns its only output without a tuple
};

}  // namespace ersatz

// Graphs: values in SSA form and nodes in execution order, flat enough for millions of nodes.
//
// A `Node` is a few numbers. Its arguments and results are ranges of one arena that the `Program`
// (tracer/program/program.h) owns, together with names, literals, metadata and nested graphs. A `ValueId` counts within
// one graph.
//
// Invariants (checked by tracer/program/verify.h)
// G1  Every value is defined once: by an input, or as a result of one node.
// G2  A node uses only values that inputs or earlier nodes of the same graph define; nested graphs capture nothing.
// G3  Names of values are unique within a graph and never empty.
// G4  A list of literals only is itself a literal; a `List` argument holds at least one value, graph or operator.
#pragma once

#include <cstdint>
#include <vector>

#include "tracer/program/name_pool.h"

namespace ersatz {

using ValueId = uint32_t;
using NodeId = uint32_t;
/// "None" of every index here.
inline constexpr uint32_t kNone = UINT32_MAX;

/// A piece of the program's argument arena.
struct ArgRange {
  uint32_t first = 0;
  uint32_t count = 0;
};

/// An argument or a result.
struct Arg {
  enum class Kind : uint8_t {
    None,      ///< None; as a result, an undefined one
    Value,     ///< index: ValueId in the graph
    Literal,   ///< index: Program::literals
    List,      ///< index: Program::lists; of an argument at least one item is no literal, a result's may be empty
    Dict,      ///< index: Program::lists; items carry their key in `name`
    Graph,     ///< index: Program::graphs
    Operator,  ///< index: Program::ops
  };
  NameId name = 0;  ///< keyword or key; 0: positional, or an item of a list
  Kind kind = Kind::None;
  uint32_t index = 0;
};

enum class ValueKind : uint8_t {
  Unknown,  ///< not recorded (hand-written text)
  Tensor,
  Int,
  Float,
  Bool,
  Object  ///< an opaque object: torchbind, string, None
};

/// What the maker of the program recorded of a value: a witness, not a truth.
struct GraphValue {
  NameId name = 0;
  ValueKind kind = ValueKind::Unknown;
  /// Tensor: Program::metas. Otherwise Program::literals: an int (maybe symbolic), float, bool, or a string with the
  /// text of an expression that is no integer, or an object's class.
  uint32_t record = kNone;
  NodeId node = kNone;    ///< the node that defines it; kNone: an input
  ValueId alias = kNone;  ///< recorded: shares this earlier value's storage
};

struct Node {
  uint32_t op = 0;            ///< Program::ops
  NameId name = 0;            ///< the exporter's name of the node; facts refer to it
  NameId source = 0;          ///< the user's line, `model.py:17 in forward: h = relu(x)`
  uint32_t module = kNone;    ///< Program::modules: the innermost module whose call made the node
  uint32_t original = kNone;  ///< Program::ops: the operator that was taken apart, the outermost one
  uint32_t call = kNone;      ///< Program::calls: the user's call that the node is a part of
  ArgRange args;
  ArgRange results;        ///< Arg kinds None, Value, List (a `Tensor[]` result)
  bool one_tuple = false;  ///< a higher-order op that returns a tuple of its only result
};

enum class InputKind : uint8_t {
  UserInput,
  Parameter,
  Buffer,
  LooseBuffer,  ///< a buffer that is not saved with the weights (non-persistent)
  TensorConstant,
  CustomObject,
  Token,
  ConstantInput  ///< a specialised number, bool, string or None: its value is its record
};

struct GraphInput {
  ValueId value = kNone;
  InputKind kind = InputKind::UserInput;
  NameId target = 0;        ///< qualified name of a parameter, buffer or constant
  uint32_t stored = kNone;  ///< Program::weights: where its value comes from; kNone: the caller gives it
};

enum class OutputKind : uint8_t {
  UserOutput,
  Loss,
  BufferMutation,  ///< after the run the value is copied into the buffer `target`
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
  NameId name = 0;  ///< of a nested graph; 0 for the main one
  std::vector<GraphValue> values;
  std::vector<Node> nodes;
  std::vector<GraphInput> inputs;
  std::vector<GraphOutput> outputs;
  bool single_result = false;  ///< nested: returns its only output itself, not a tuple of it
};

}  // namespace ersatz

// Nodes for expressions over symbols, made when one reaches a call.
//
// A symbol comes from somewhere: a size, stride or offset of a tensor that a node or an input gave, or a number that
// one did. The first such place of each expression is remembered, and a node that reads it is written when somebody
// uses the value: `aten.sym_size.int(%x, 0)`. An expression that stands nowhere becomes calls of functions on numbers,
// `_operator.mul(%sym_size_int, 2)`, of its operands. Either way it is one node however often the value is used.
// Nothing is asked of the expressions, so no guard is added.
#pragma once

#include <unordered_map>

#include "tracer/trace/node_writer.h"

namespace ersatz {

class SymNodes {
 public:
  /// With `count_elements` a number of elements is a place too: `aten.sym_numel(%x)`.
  explicit SymNodes(NodeWriter& writer, bool count_elements = false)
      : writer_(writer), count_elements_(count_elements) {}

  /// The tensor's sizes, strides and offset stand at `value`. What stood elsewhere before keeps its place.
  void note_tensor(const TensorMeta& meta, ValueId value);
  /// A number that a node or an input gave.
  void note_number(const Value& number, ValueId value);
  /// The value that holds the number, written now if nobody has used it yet. TraceError where it holds a symbol that
  /// came from nowhere. REQUIRES: number.is_symbolic().
  ValueId value_of(const Value& number);
  /// The same as an argument: a literal where it is a plain number.
  Arg argument(const Value& number);

 private:
  struct Place {
    enum class Part : uint8_t { Size, Stride, Offset, Count };
    ValueId tensor;
    Part part;
    int64_t dim = 0;
  };
  void note(SymInt v, const Place& place);
  ValueId value_of(SymInt v);
  ValueId read(const Place& place, SymInt v);
  ValueId compute(SymInt v);
  ValueId add(std::string_view function, std::span<const Arg> args, SymInt v, bool is_float, bool is_truth);

  NodeWriter& writer_;
  bool count_elements_;
  std::unordered_map<int64_t, Place> places_;    ///< by word
  std::unordered_map<int64_t, ValueId> values_;  ///< by word: those that a value holds
};

}  // namespace ersatz

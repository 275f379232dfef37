// Writes nodes for expressions over symbols when a call uses them.
//
// Every symbol has a source: a size, stride or offset of a tensor that a node or an input gave, or a number that one
// gave. The first source of each expression is remembered. When a call uses the expression, a node is written that
// reads it: `aten.sym_size.int(%x, 0)`. An expression without a source becomes calls of functions on numbers on its
// operands, `_operator.mul(%sym_size_int, 2)`. An expression has one node however often it is used. No condition is
// evaluated on expressions, so no guard is added.
#pragma once

#include <unordered_map>

#include "tracer/trace/node_writer.h"

namespace ersatz {

class SymNodes {
 public:
  /// With `count_elements`, a number of elements is a source too: `aten.sym_numel(%x)`.
  explicit SymNodes(NodeWriter& writer, bool count_elements = false)
      : writer_(writer), count_elements_(count_elements) {}

  /// Records the tensor's sizes, strides and offset as sources. An expression that already has a source keeps it.
  void note_tensor(const TensorMeta& meta, ValueId value);
  /// Records a number that a node or an input gave.
  void note_number(const Value& number, ValueId value);
  /// Returns the value of the number, and writes its node if it has none yet. Raises TraceError if it has a symbol
  /// without a source. REQUIRES: number.is_symbolic().
  ValueId value_of(const Value& number);
  /// Returns the number as an argument, a literal if it is a plain number.
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
  std::unordered_map<int64_t, Place> places_;    ///< by SymInt::word()
  std::unordered_map<int64_t, ValueId> values_;  ///< by SymInt::word(); expressions that have a value
};

}  // namespace ersatz

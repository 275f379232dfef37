// Adds nodes for expressions over symbols when a call uses them.
//
// Every symbol has a source: a size, stride or offset of a tensor, or a number, that a node or an input gave. The first
// source of each expression is remembered. When a call uses the expression, a node is added that reads it:
// `aten.sym_size.int(%x, 0)`. An expression without a source is computed from its operands by functions on numbers:
// `_operator.mul(%sym_size_int, 2)`. Each expression gets only one node. No condition on expressions is evaluated, so
// no guard is added.
#pragma once

#include <unordered_map>

#include "tracer/trace/node_writer.h"

namespace ersatz {

class SymNodes {
 public:
  /// If `count_elements` is set, the number of elements of a tensor is a source too: `aten.sym_numel(%x)`.
  explicit SymNodes(NodeWriter& writer, bool count_elements = false)
      : writer_(writer), count_elements_(count_elements) {}

  /// Remembers the tensor's sizes, strides and offset as sources. If an expression has a source already, that source is
  /// kept.
  void note_tensor(const TensorMeta& meta, ValueId value);
  /// Remembers a number that a node or an input gave as a source.
  void note_number(const Value& number, ValueId value);
  /// Returns the graph value of a symbolic number. If it has none yet, adds nodes that compute it. RAISES TraceError if
  /// the number has a symbol without a source. REQUIRES: number.is_symbolic().
  ValueId value_of(const Value& number);
  /// Returns the number as an argument of a node. A plain number becomes a literal.
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
  std::unordered_map<int64_t, Place> places_;    ///< key: SymInt::word()
  std::unordered_map<int64_t, ValueId> values_;  ///< expressions that have a graph value; key: SymInt::word()
};

}  // namespace ersatz

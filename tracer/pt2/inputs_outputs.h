// `inputs_outputs.json` with its `values.bin`: inputs for a program and what the eager model returned.
//
// Elements lie in `values.bin` in row-major order whatever the strides; `tensor` lays them out with the strides and the
// offset of their metadata. Hostile input, as everything from outside: sizes are checked against the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

struct StoredValue {
  std::string name;                        ///< graph name, or qualified name of a buffer
  std::optional<TensorMeta> meta;          ///< of a tensor
  int64_t offset = 0, bytes = 0;           ///< in values.bin
  std::optional<Value> number;             ///< of a plain number
  Tensor tensor;                           ///< of a tensor that was given in memory: no file holds it
  bool random = false;                     ///< depends on the generator: compare metadata only
  bool gaps = false;                       ///< reads bytes that are not stored: compare metadata only
  bool ties = false;                       ///< an index of one of several equal elements
  std::optional<double> graph_difference;  ///< the recorded graph's own distance from the eager model
};

class InputsOutputs {
 public:
  /// Reads both files; `values.bin` is the one that the JSON names, in the same folder.
  static InputsOutputs load(const std::string& path);
  static InputsOutputs parse(std::string_view text, std::string values, const std::string& file);

  std::vector<StoredValue> inputs, outputs, buffers_after, inputs_after;

  /// An input that no file of this format holds: a real CPU tensor, or a number.
  void add_input(std::string name, Value value);

  /// A real CPU tensor, or the number. Gaps between elements hold zeros. What was given in memory comes back itself.
  Value value(const StoredValue& stored) const;
  static const StoredValue* find(const std::vector<StoredValue>& rows, std::string_view name);

 private:
  std::string values_;
};

}  // namespace ersatz

// `inputs_outputs.json` and its `values.bin`: inputs for a program and the results of the eager model.
//
// `values.bin` has elements in row-major order. `value` gives them the strides and the offset of their metadata. Both
// files are hostile input: sizes are checked against the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

struct StoredValue {
  std::string name;                        ///< name in the graph, or qualified name of a buffer
  std::optional<TensorMeta> meta;          ///< of a tensor
  int64_t offset = 0, bytes = 0;           ///< range in values.bin
  std::optional<Value> number;             ///< of a number
  Tensor tensor;                           ///< a tensor that was passed in memory, without a file
  bool random = false;                     ///< depends on the random generator: only metadata are compared
  bool gaps = false;                       ///< reads bytes that are not stored: only metadata are compared
  bool ties = false;                       ///< index of one of several equal elements
  std::optional<double> graph_difference;  ///< recorded distance of the exported graph from the eager model
};

class InputsOutputs {
 public:
  /// Reads both files. The JSON names `values.bin`, which must be in the same folder.
  static InputsOutputs load(const std::string& path);
  static InputsOutputs parse(std::string_view text, std::string values, const std::string& file);

  std::vector<StoredValue> inputs, outputs, buffers_after, inputs_after;

  /// Adds an input from memory, a real CPU tensor or a number.
  void add_input(std::string name, Value value);

  /// Returns a real CPU tensor or a number. Gaps between elements are zero. A tensor that was passed in memory is
  /// returned itself.
  Value value(const StoredValue& stored) const;
  static const StoredValue* find(const std::vector<StoredValue>& rows, std::string_view name);

 private:
  std::string values_;
};

}  // namespace ersatz

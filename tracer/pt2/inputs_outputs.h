// Reads `inputs_outputs.json` and its `values.bin`: inputs for a program, and the results of the eager model.
//
// `values.bin` has elements in row-major order. `value` makes tensors with the strides and offset of their metadata.
// The files are not trusted: all sizes are checked against the length of `values.bin`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

struct StoredValue {
  std::string name;                ///< name in the graph; for a buffer its qualified name
  std::optional<TensorMeta> meta;  ///< set if it is a tensor
  int64_t offset = 0, bytes = 0;   ///< range of its bytes in values.bin
  std::optional<Value> number;     ///< set if it is a number
  Tensor tensor;                   ///< a tensor that was passed in memory and is in no file
  bool random = false;             ///< the values depend on the random generator, so only metadata are compared
  /// The tensor reads bytes that are not stored, so only metadata are compared.
  bool gaps = false;
  bool ties = false;  ///< the value has indices, and may name any of several equal elements
  /// Recorded difference between the results of the exported graph and of the eager model.
  std::optional<double> graph_difference;
};

class InputsOutputs {
 public:
  /// Reads both files. The JSON file names `values.bin`, which must be in its folder.
  static InputsOutputs load(const std::string& path);
  static InputsOutputs parse(std::string_view text, std::string values, const std::string& file);

  std::vector<StoredValue> inputs, outputs, buffers_after, inputs_after;

  /// Adds an input that is in memory: a real CPU tensor or a number.
  void add_input(std::string name, Value value);

  /// Returns the value: a real CPU tensor or a number. Memory between the tensor's elements is zero. A tensor that was
  /// passed in memory is returned without a copy.
  Value value(const StoredValue& stored) const;
  static const StoredValue* find(const std::vector<StoredValue>& rows, std::string_view name);

 private:
  std::string values_;
};

}  // namespace ersatz

// Makes the inputs of a run: weights from the file or synthetic, and user inputs that are given or synthetic.
#pragma once

#include <optional>
#include <vector>

#include "fake/mode/fake_mode.h"
#include "tracer/program/program.h"
#include "tracer/program/symbol_values.h"
#include "tracer/pt2/inputs_outputs.h"

namespace ersatz {

struct InputChoice {
  enum class Fill : uint8_t { Random, Zeros, Ones };
  const InputsOutputs* given = nullptr;  ///< user inputs by name; an input that is missing there gets synthetic values
  Fill fill = Fill::Random;
  uint64_t seed = 0;
  bool symbolic = false;         ///< for fake inputs: sizes and numbers that are recorded as expressions stay symbolic
  std::optional<Device> device;  ///< for fake inputs: the device of every input, instead of the recorded one
};

bool is_tensor_input(const Program& program, const GraphInput& input);
/// Returns the metadata that a tensor input of the run will have, on the recorded device or on `choice.device`.
TensorMeta input_meta(const Program& program, const GraphInput& input, const SymbolValues& symbols,
                      const InputChoice& choice = {});

/// Finds the values of the program's symbols by comparing recorded sizes with the sizes of the given inputs.
void observe_inputs(const Program& program, const InputsOutputs& given, SymbolValues& symbols);

/// Returns one real CPU Value for each graph input, in order. Reads the bytes of weights. Inputs share a storage if
/// they share one in the program. RAISES InvalidArgument if a given value does not fit (dtype, rank, sizes), or if a
/// size has a symbol without a value.
std::vector<Value> make_inputs(const Program& program, const SymbolValues& symbols, const InputChoice& choice = {});

/// Works like make_inputs, but returns one fake of `mode` for each graph input, and reads no bytes.
std::vector<Value> make_fake_inputs(const Program& program, const FakeMode& mode, const SymbolValues& symbols,
                                    const InputChoice& choice = {});

}  // namespace ersatz

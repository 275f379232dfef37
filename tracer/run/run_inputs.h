// Makes the inputs of a run: stored or synthetic weights, and given or synthetic user inputs.
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
  const InputsOutputs* given = nullptr;  ///< user inputs by name; a missing one gets synthetic values
  Fill fill = Fill::Random;
  uint64_t seed = 0;
  bool symbolic = false;         ///< keep sizes and numbers that are recorded as expressions (fake inputs only)
  std::optional<Device> device;  ///< the device of every input, in place of the recorded ones (fake inputs only)
};

bool is_tensor_input(const Program& program, const GraphInput& input);
/// Returns the metadata that a tensor input of the run will have, on the recorded or the chosen device.
TensorMeta input_meta(const Program& program, const GraphInput& input, const SymbolValues& symbols,
                      const InputChoice& choice = {});

/// Binds the program's symbols by comparing recorded sizes with the sizes of the given inputs.
void observe_inputs(const Program& program, const InputsOutputs& given, SymbolValues& symbols);

/// Returns one real CPU Value per graph input, in order, and reads the weights' bytes. Inputs that share a storage in
/// the program share one here. Raises InvalidArgument if a given value does not fit (dtype, rank, sizes) or a size has
/// no value.
std::vector<Value> make_inputs(const Program& program, const SymbolValues& symbols, const InputChoice& choice = {});

/// Like make_inputs, but returns fakes of `mode` and reads no bytes.
std::vector<Value> make_fake_inputs(const Program& program, const FakeMode& mode, const SymbolValues& symbols,
                                    const InputChoice& choice = {});

}  // namespace ersatz

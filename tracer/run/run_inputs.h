// The inputs of a run: weights as stored or made up, user inputs as given or made up.
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
  const InputsOutputs* given = nullptr;  ///< by name; what it does not have is made up
  Fill fill = Fill::Random;
  uint64_t seed = 0;
  bool symbolic = false;         ///< sizes and numbers that are recorded as expressions stay so (fake inputs only)
  std::optional<Device> device;  ///< every input lives there instead of where the record says (fake inputs only)
};

bool is_tensor_input(const Program& program, const GraphInput& input);
/// The metadata that a tensor input of the run will have, on the device where it is recorded or chosen.
TensorMeta input_meta(const Program& program, const GraphInput& input, const SymbolValues& symbols,
                      const InputChoice& choice = {});

/// Binds what the given inputs' sizes say of the program's symbols.
void observe_inputs(const Program& program, const InputsOutputs& given, SymbolValues& symbols);

/// One real CPU Value per graph input, in order. Reads the weights' bytes. Inputs that share a storage share it here.
/// InvalidArgument where a given value does not fit (dtype, rank, sizes) or a size has no value.
std::vector<Value> make_inputs(const Program& program, const SymbolValues& symbols, const InputChoice& choice = {});

/// The same as fakes of `mode`: reads no bytes.
std::vector<Value> make_fake_inputs(const Program& program, const FakeMode& mode, const SymbolValues& symbols,
                                    const InputChoice& choice = {});

}  // namespace ersatz

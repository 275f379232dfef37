#include "fake/mode/symbolic_context.h"

#include "runtime/tensor/tensor.h"

namespace ersatz {

std::pair<bool, std::optional<StaticReason>> always_static(const Value& v, bool of_module, const StaticTensors& rules) {
  if (!v.is_tensor()) return {true, StaticReason::NotTensor};
  if (of_module && rules.of_modules) return {true, StaticReason::ModuleOwned};
  const TensorExtra* extra = v.tensor_impl()->extra.get();
  if (extra && extra->is_parameter && rules.parameters) return {true, StaticReason::Parameter};
  return {false, std::nullopt};
}

std::string_view message(StaticReason reason) {
  switch (reason) {
    case StaticReason::Parameter:
      return "mark_dynamic on parameter, parameters are always static today.";
    case StaticReason::NotTensor:
      return "mark_dynamic on a non tensor, how did this happen?";
    case StaticReason::ModuleOwned:
      return "tensor is static because it is nn module associated.";
  }
  ERSATZ_ASSERT(false, "a reason why a tensor is static: {} is none", static_cast<int>(reason));
}

}  // namespace ersatz

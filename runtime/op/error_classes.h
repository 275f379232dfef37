// Classes of errors that PyTorch has changed: earlier versions refuse the same calls with a RuntimeError.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/torch_version.h"

namespace ersatz {

/// Versions before `since` refuse these calls with a RuntimeError. Called at registration.
/// A missing kernel of the operator `base`, where it is missed for one of `dtypes`:
void set_missing_kernel_class(std::string_view base, DTypeSet dtypes, TorchVersion since);
/// A refusal with the constraint `label`, `sort.C1`:
void set_label_class(std::string_view label, TorchVersion since);

/// The class in this version of PyTorch, of what is `family` in the newest. No dtype: any of the operator's decides.
ErrorFamily family_of_missing_kernel(std::string_view base, std::optional<DType> dtype, ErrorFamily family,
                                     TorchVersion version);
ErrorFamily family_of_label(const std::string& label, ErrorFamily family, TorchVersion version);

}  // namespace ersatz

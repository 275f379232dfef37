// Error classes that PyTorch has changed: earlier versions raise a RuntimeError for the same calls.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/torch_version.h"

namespace ersatz {

/// Both functions: versions before `since` raise a RuntimeError for these calls. Called at registration.
/// Sets the class of a missing kernel of the operator `base` for one of `dtypes`.
void set_missing_kernel_class(std::string_view base, DTypeSet dtypes, TorchVersion since);
/// Sets the class of errors with the constraint `label`, for example `sort.C1`.
void set_label_class(std::string_view label, TorchVersion since);

/// Returns the class in `version` of an error that is of `family` in the newest PyTorch. Without `dtype`, any row of
/// the operator applies.
ErrorFamily family_of_missing_kernel(std::string_view base, std::optional<DType> dtype, ErrorFamily family,
                                     TorchVersion version);
ErrorFamily family_of_label(const std::string& label, ErrorFamily family, TorchVersion version);

}  // namespace ersatz

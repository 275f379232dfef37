// Errors whose class has changed between PyTorch versions: before a certain version, PyTorch raises a RuntimeError for
// the same call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/dtype.h"
#include "runtime/base/error.h"
#include "runtime/base/torch_version.h"

namespace ersatz {

/// The next two functions are called while ops are registered. PyTorch versions before `since` raise a RuntimeError
/// instead.
/// Sets the version since which a missing kernel of the operator `base` for one of `dtypes` has its present error
/// class.
void set_missing_kernel_class(std::string_view base, DTypeSet dtypes, TorchVersion since);
/// Sets the version since which the error with the constraint `label`, for example `sort.C1`, has its present class.
void set_label_class(std::string_view label, TorchVersion since);

/// Returns the class in PyTorch `version` of an error whose class is `family` in the newest PyTorch. Without `dtype`,
/// all rows of the operator apply.
ErrorFamily family_of_missing_kernel(std::string_view base, std::optional<DType> dtype, ErrorFamily family,
                                     TorchVersion version);
ErrorFamily family_of_label(const std::string& label, ErrorFamily family, TorchVersion version);

}  // namespace ersatz

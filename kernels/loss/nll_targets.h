// Checks of the targets of negative log likelihood losses, with the error text, for CPU and CUDA kernels.
#pragma once

#include <string>

#include "kernels/loss/nll_loss.h"
#include "runtime/base/host_device.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_nll_loss {

/// Is the target neither a class nor equal to ignore_index?
ERSATZ_HD inline bool is_no_class(int64_t target, int64_t classes, int64_t ignored) {
  return target != ignored && (target < 0 || target >= classes);
}
std::string no_class_words(int64_t target, int64_t position, int64_t classes);
/// RAISES: an error with `value_failure` for the first target that is neither a class nor `ignored`. REQUIRES:
/// `targets` is on the host.
void require_classes(const KernelCall& call, std::span<const int64_t> targets, int64_t classes, int64_t ignored);

}  // namespace ersatz::op_nll_loss

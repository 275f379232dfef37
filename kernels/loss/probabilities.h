// The forward kernel of binary cross entropy, for all devices. `Engine` is HostDraw or DeviceDraw, which checks that
// self and target are probabilities.
#pragma once

#include "kernels/loss/binary_cross_entropy.h"
#include "kernels/random/moments.h"

namespace ersatz::op_binary_cross_entropy {

/// Computes the loss. REQUIRES: the elements of self and target are in [0, 1].
Kernel write_loss;

static_assert(kLoss["self"] == 0 && kLoss["target"] == 1);
template <size_t argument>
struct Probabilities {
  using Bad = IsNoProbability;
  static std::string words(double p, int64_t position) {
    return fmt::format("{} must lie between 0 and 1: element {} is {}", argument == 0 ? "self" : "target", position, p);
  }
};

template <class Engine, size_t argument>
void require_probabilities(const KernelCall& call) {
  const Tensor t = call.tensor(argument);
  Engine::template require_all<Probabilities<argument>>(call, spread_argument(call, argument, t, DType::F64));
}
template <class Engine>
void run(KernelCall& call) {
  require_probabilities<Engine, 0>(call);
  require_probabilities<Engine, 1>(call);
  write_loss(call);
}

}  // namespace ersatz::op_binary_cross_entropy

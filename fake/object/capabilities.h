// What calls on a tensor take part in: derived from its device and flags, never from where its bytes are. A fake's
// device is the one that it stands for, so a CUDA fake answers what a CUDA tensor would.
#pragma once

#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

struct Capabilities {
  DeviceType backend = DeviceType::CPU;
  bool tracks_views = false;  ///< views know their base, and versions count writes for gradients
  bool autograd = false;
  bool autocast = false;
  bool operator==(const Capabilities&) const = default;
};

/// A tensor made in inference mode neither tracks views nor takes part in autograd. Meta has no autocast.
Capabilities capabilities(const Tensor& t);

/// As PyTorch names them: `CPU, ADInplaceOrView, AutogradCPU, AutocastCPU`.
std::string to_string(const Capabilities& c);

}  // namespace ersatz

// Whether calls on a tensor track views, take part in autograd and in autocast: derived from its device and flags,
// never from where its bytes are. A fake has the capabilities of a real tensor on its device.
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

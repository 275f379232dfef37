// Says whether calls on a tensor track views and take part in autograd and autocast.
//
// Capabilities depend only on the tensor's device and flags, so a fake has those of a real tensor on its device.
#pragma once

#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

struct Capabilities {
  DeviceType backend = DeviceType::CPU;
  bool tracks_views = false;  ///< views store their base, and storage versions count writes for autograd
  bool autograd = false;
  bool autocast = false;
  bool operator==(const Capabilities&) const = default;
};

/// Returns the capabilities of a tensor. A tensor made in inference mode neither tracks views nor takes part in
/// autograd. The meta device has no autocast.
Capabilities capabilities(const Tensor& t);

/// Returns the names of PyTorch's dispatch keys: `CPU, ADInplaceOrView, AutogradCPU, AutocastCPU`.
std::string to_string(const Capabilities& c);

}  // namespace ersatz

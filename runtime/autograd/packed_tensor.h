// A saved tensor that a hook has packed (saved_tensor_hooks.h).
#pragma once

#include "runtime/autograd/saved_tensor_hooks.h"

namespace ersatz {

/// A saved tensor in the form that `pack` returned.
class PackedTensor final : public RefCounted {
 public:
  PackedTensor(std::any packed, const UnpackHook& unpack) : packed_(std::move(packed)), unpack_(unpack) {}
  Tensor unpacked() const;

 private:
  std::any packed_;
  UnpackHook unpack_;
};

}  // namespace ersatz

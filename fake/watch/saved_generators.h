// Saves and restores the states of all generators that a call may draw from.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/tensor/generator.h"

namespace ersatz {

class SavedGenerators {
 public:
  /// Saves the CPU's default generator, the default generators of `device` and of the arguments' devices, and the
  /// generators among the arguments.
  explicit SavedGenerators(std::span<const Value> args, Device device = kCPU) {
    save(default_generator(kCPU));
    if (device.is_cuda()) save(default_generator(device));
    for_each_tensor(args, [this](const TensorImpl* t) {
      if (t->meta.device.is_cuda()) save(default_generator(t->meta.device));
    });
    for (const Value& v : args) {
      if (v.kind() == Value::Kind::Generator && v.as_generator()) save(*v.as_generator());
      if (v.kind() == Value::Kind::Device && v.as_device().is_cuda()) save(default_generator(resolve(v.as_device())));
    }
  }
  void restore() const {
    for (const auto& [generator, state] : saved_) generator->set_state(state);
  }

 private:
  void save(Generator& g) {
    for (const auto& row : saved_) {
      if (row.first == &g) return;
    }
    saved_.emplace_back(&g, g.state());
  }
  InlineVec<std::pair<Generator*, GeneratorState>, 2> saved_;
};

/// Saves the generators that SavedGenerators names, and restores them at the end of the scope.
class KeepGenerators {
 public:
  explicit KeepGenerators(std::span<const Value> args, Device device = kCPU) : saved_(args, device) {}
  ~KeepGenerators() { saved_.restore(); }
  KeepGenerators(const KeepGenerators&) = delete;
  KeepGenerators& operator=(const KeepGenerators&) = delete;

 private:
  SavedGenerators saved_;
};

}  // namespace ersatz

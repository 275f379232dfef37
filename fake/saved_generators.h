// The states of all generators that a call may draw from, to put them back.
#pragma once

#include "runtime/generator.h"
#include "runtime/value.h"

namespace ersatz {

class SavedGenerators {
 public:
  /// The CPU's default generator, the device's, and those among the arguments.
  SavedGenerators(std::span<const Value> args, Device device) {
    save(default_generator(kCPU));
    if (device.is_cuda()) save(default_generator(device));
    for (const Value& v : args) {
      if (v.kind() == Value::Kind::Generator && v.as_generator()) save(*v.as_generator());
    }
  }
  void restore() const {
    for (const auto& [generator, state] : saved_) generator->set_state(state);
  }

 private:
  void save(Generator& g) { saved_.emplace_back(&g, g.state()); }
  InlineVec<std::pair<Generator*, GeneratorState>, 2> saved_;
};

/// Puts them back when it goes.
class KeepGenerators {
 public:
  KeepGenerators(std::span<const Value> args, Device device) : saved_(args, device) {}
  ~KeepGenerators() { saved_.restore(); }
  KeepGenerators(const KeepGenerators&) = delete;
  KeepGenerators& operator=(const KeepGenerators&) = delete;

 private:
  SavedGenerators saved_;
};

}  // namespace ersatz

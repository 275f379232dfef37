// Options of running programs and recorded calls. They are made once from a command line and passed on unchanged.
#pragma once

#include <optional>

#include "fake/crosscheck/crosscheck.h"
#include "runtime/base/context.h"

namespace ersatz::tools {

struct RunOptions {
  std::optional<Device> device;       ///< the device of all tensors; nullopt: where they were recorded
  BackendRecord backend;              ///< the GPU model that is predicted; for a real GPU, its own
  std::optional<TorchVersion> torch;  ///< PyTorch version to predict; nullopt: that of the file, else the newest
  uint64_t seed = 0;                  ///< of synthetic inputs and weights
  bool no_real = false;               ///< no kernel runs: rules are compared only with facts and records
  bool keep_going = false;            ///< missing and refused calls return their recorded results
  bool bytes = true;                  ///< checks with poison, guard zones and input hashes
  bool reference_f64 = false;         ///< on another device: a run on f64 inputs decides about values

  /// The device for recorded calls: `device` replaces that of a run on the CPU.
  Device device_or_cpu() const { return device.value_or(kCPU); }
};

/// The PyTorch version to predict for a program: the user's, else the one that its producer names, else the thread's.
TorchVersion torch_of(std::optional<TorchVersion> told, std::string_view producer);

/// Options of an engine that checks calls of a run with these options.
CrosscheckOptions engine_options(const RunOptions& run, const Waivers& waivers = Waivers());

}  // namespace ersatz::tools

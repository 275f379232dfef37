// How programs and recorded calls are run. Whoever reads a command line makes these options once; they are passed on
// whole.
#pragma once

#include <optional>

#include "fake/crosscheck/crosscheck.h"
#include "runtime/base/context.h"

namespace ersatz::tools {

struct RunOptions {
  std::optional<Device> device;       ///< where everything lives, instead of where it was recorded
  BackendRecord backend;              ///< the GPU that is predicted for; of a real one what it says itself
  std::optional<TorchVersion> torch;  ///< whose answers are predicted; none: that of the file, else the newest
  uint64_t seed = 0;                  ///< of inputs and weights that are made up
  bool no_real = false;               ///< no kernel runs: the rule is judged by facts and records only
  bool keep_going = false;            ///< missing and refused calls return what was recorded
  bool bytes = true;                  ///< poison, guard zones and input hashes
  bool reference_f64 = false;         ///< on another device: f64 inputs decide about values

  /// Where recorded calls run: they come with a device each, but `device` replaces that of a run on the CPU.
  Device device_or_cpu() const { return device.value_or(kCPU); }
};

/// Whose answers are predicted of a program: the version that the user tells, else the one that its maker names, else
/// the thread's.
TorchVersion torch_of(std::optional<TorchVersion> told, std::string_view producer);

/// The options of an engine that checks calls of such a run.
CrosscheckOptions engine_options(const RunOptions& run, const Waivers& waivers = Waivers());

}  // namespace ersatz::tools

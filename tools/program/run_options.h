// Options for running programs and recorded calls. They are made once from a command line and passed on unchanged.
#pragma once

#include <optional>

#include "fake/crosscheck/crosscheck.h"
#include "runtime/base/context.h"

namespace ersatz::tools {

struct RunOptions {
  std::optional<Device> device;  ///< the device of all tensors; nullopt: the devices on which they were recorded
  BackendRecord backend;         ///< the GPU model to predict; on a real GPU, its own model
  /// Version of PyTorch to predict; nullopt: the version that the file names, or the newest if it names none.
  std::optional<TorchVersion> torch;
  uint64_t seed = 0;           ///< seed of synthetic inputs and weights
  bool no_real = false;        ///< no kernel runs: rules are compared only with facts and records
  bool keep_going = false;     ///< a missing or refused call returns its recorded results, and the run goes on
  bool bytes = true;           ///< checks memory with poison, guard zones and hashes of inputs
  bool reference_f64 = false;  ///< if a device's values differ, compares both runs with a run in f64

  /// The device for recorded calls, which is the CPU if `device` is not set.
  Device device_or_cpu() const { return device.value_or(kCPU); }
};

/// Returns the PyTorch version to predict for a program: `told` if the user named a version, else the version in
/// `producer`, else the version that is set for this thread.
TorchVersion torch_of(std::optional<TorchVersion> told, std::string_view producer);

/// Returns the options of a crosscheck engine for a run with the options `run`.
CrosscheckOptions engine_options(const RunOptions& run, const Waivers& waivers = Waivers());

}  // namespace ersatz::tools

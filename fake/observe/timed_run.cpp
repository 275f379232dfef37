#include "fake/observe/timed_run.h"

#include <chrono>

#include "fake/watch/saved_generators.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz {
namespace {

constexpr uint64_t kSeed = 1337;

/// Returns the device of the last real CUDA tensor among the values; the CPU if there is none.
Device device_of(std::span<const Value> values) {
  Device device = kCPU;
  for_each_tensor(values, [&](const TensorImpl* t) {
    if (t->meta.device.is_cuda() && !t->fake_mode) device = t->meta.device;
  });
  return device;
}

void wait_for(Device device) {
  if (device.is_cuda()) check_cuda(cuda_functions().synchronize(device.index), device, "waiting", 0);
}

}  // namespace

TimedRun timed(const std::function<std::vector<Value>(std::span<const Value>)>& model, std::span<const Value> inputs,
               int runs) {
  const Device device = device_of(inputs);
  const KeepGenerators keep(inputs, device);
  manual_seed(kSeed);
  if (device.is_cuda()) default_generator(device).manual_seed(kSeed);
  TimedRun timed;
  wait_for(device);
  const auto start = std::chrono::steady_clock::now();
  for (int run = 0; run < std::max(runs, 1); ++run) {
    timed.results = model(inputs);
    wait_for(device);
  }
  timed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return timed;
}

}  // namespace ersatz

#include "tests/device/hidden_device.h"

#include <dlfcn.h>

#include <cstdlib>

#include "fake/watch/tensor_copies.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz {
namespace {

constexpr const char* kModule = ERSATZ_BINARY_DIR "/lib/hidden_device.so";

/// Set before main, because a process looks for the CUDA module only once.
const int g_named = setenv("ERSATZ_CUDA_MODULE", kModule, 1);

void* module_function(const char* name) {
  cuda_functions();
  void* library = dlopen(kModule, RTLD_NOW | RTLD_NOLOAD);
  void* found = library ? dlsym(library, name) : nullptr;
  ERSATZ_ASSERT(found && g_named == 0, "{} has no {}", kModule, name);
  return found;
}

FillKernel g_sound = nullptr;

}  // namespace

Tensor on_device(const Tensor& cpu) { return TensorCopies(cuda()).of(cpu); }
std::vector<Value> on_device(std::vector<Value> cpu) { return TensorCopies(cuda()).of(cpu); }

Checked check_on_device(std::string_view op, std::vector<Value> cpu, CrosscheckOptions options,
                        std::vector<ResultFacts> facts, const std::function<void(CallSite&)>& change) {
  return check_call(op_named(op), on_device(std::move(cpu)), std::move(facts), std::move(options), std::nullopt,
                    change);
}

std::byte* device_bytes(const void* address) {
  static const auto bytes = reinterpret_cast<std::byte* (*)(const void*)>(module_function("hidden_device_bytes"));
  return bytes(address);
}

void sound_kernel(KernelCall& call) { g_sound(call); }

PlantedOnDevice::PlantedOnDevice(std::string_view op)
    : entry((cuda_functions(), *registry().find_mutable(op))),
      rule_(entry.rule),
      cpu_(entry.fill_kernels[0]),
      cuda_(entry.fill_kernels[1]),
      returns_(entry.return_kernels[1]),
      tolerance_(entry.tolerance) {
  g_sound = cuda_;
}

PlantedOnDevice::~PlantedOnDevice() {
  entry.rule = rule_;
  entry.fill_kernels[0] = cpu_;
  entry.fill_kernels[1] = cuda_;
  entry.return_kernels[1] = returns_;
  entry.tolerance = tolerance_;
}

}  // namespace ersatz

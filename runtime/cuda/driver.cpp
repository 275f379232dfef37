#include "runtime/cuda/driver.h"

#include "runtime/cuda/per_device.h"
#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {
namespace {

const Driver* g_driver = nullptr;
int g_number = 0, g_last_number = 0;

struct KnownProperties {
  explicit KnownProperties(int device) { ERSATZ_CHECK_CUDA(driver().properties(device, &properties)); }
  DeviceProperties properties;
};
PerDevice<KnownProperties> g_properties;

}  // namespace

const Driver& driver() { return g_driver ? *g_driver : linked_driver(); }

void use_driver(const Driver* table) {
  g_driver = table;
  g_number = table ? ++g_last_number : 0;
}
int driver_number() { return g_number; }

const DeviceProperties& device_properties(int device) { return g_properties.of(device).properties; }

}  // namespace ersatz::cuda_module

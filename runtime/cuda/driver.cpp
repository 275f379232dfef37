#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {
namespace {

const Driver* g_driver = nullptr;

}  // namespace

const Driver& driver() { return g_driver ? *g_driver : linked_driver(); }
void use_driver(const Driver* table) { g_driver = table; }

}  // namespace ersatz::cuda_module

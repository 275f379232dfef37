#include "runtime/op/copy.h"

#include <atomic>

#include "runtime/op/registry.h"

namespace ersatz {

namespace {
std::atomic<CopyElements> g_copy_elements = nullptr;
}

void install_copy_elements(CopyElements f) { g_copy_elements = f; }

void copy_elements(const Tensor& to, const Tensor& from) {
  // the registry installs the kernel while it is filled
  if (!g_copy_elements.load(std::memory_order_relaxed)) registry();
  CopyElements copy = g_copy_elements.load();
  if (!copy) fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "no kernel copies elements in this build");
  copy(to, from);
}

}  // namespace ersatz

#include "runtime/base/call_stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

namespace ersatz {
namespace {

constexpr int kMostCalls = 64;

std::string demangled(const char* symbol) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free);
  return status == 0 ? plain.get() : symbol;
}

std::string describe(void* address) {
  Dl_info info{};
  if (!dladdr(address, &info) || !info.dli_fname) return fmt::format("  at {}\n", fmt::ptr(address));
  const auto offset = static_cast<const char*>(address) - static_cast<const char*>(info.dli_fbase);
  std::string binary = info.dli_fname;
  if (size_t slash = binary.rfind('/'); slash != binary.npos) binary.erase(0, slash + 1);
  const std::string name = info.dli_sname ? demangled(info.dli_sname) : "?";
  return fmt::format("  at {} ({}+{:#x})\n", name, binary, offset);
}

}  // namespace

Ref<CallStack> CallStack::capture(int skip) {
  void* found[kMostCalls];
  const int n = backtrace(found, kMostCalls);
  Ref<CallStack> stack = make_ref<CallStack>();
  const int first = std::min(n, skip + 1);
  stack->addresses_.assign(found + first, found + n);
  return stack;
}

const std::string& CallStack::text() const {
  std::lock_guard lock(mutex_);
  if (text_.empty()) {
    for (void* address : addresses_) text_ += describe(address);
    if (text_.empty()) text_ = "  (no calls recorded)\n";
  }
  return text_;
}

bool CallStack::formatted() const {
  std::lock_guard lock(mutex_);
  return !text_.empty();
}

}  // namespace ersatz

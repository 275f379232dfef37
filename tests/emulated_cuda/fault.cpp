#include "tests/emulated_cuda/fault.h"

#include <cxxabi.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <ucontext.h>
#include <unistd.h>

#include "tests/emulated_cuda/allocation_ledger.h"
#include "tests/emulated_cuda/arena.h"

namespace ersatz::cuda_module::emulated {
namespace {

struct sigaction g_before {};

const char* access_kind([[maybe_unused]] void* context) {
#if defined(__x86_64__)
  const auto error = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR];
  return (error & 2) != 0 ? "writes" : "reads";
#else
  return "reads or writes";
#endif
}

/// The handler may read the ledger and format text, because the thread was interrupted at a memory access of its own
/// code, not inside the C library.
void on_fault(int signal, siginfo_t* info, void* context) {
  if (info->si_code > 0 && arena().holds(info->si_addr)) {
    const char* who = Arena::is_open_here() ? "a kernel" : "the host";
    const char* remedy = Arena::is_open_here() ? "" : ": device memory is for launches and copies";
    fault("{} {} {}{}", who, access_kind(context), ledger().place(info->si_addr), remedy);
  }
  // The previously installed handler gets the fault.
  sigaction(signal, &g_before, nullptr);
  if (info->si_code <= 0) raise(signal);
}

}  // namespace

std::string readable(const char* name) {
  if (std::strchr(name, ' ')) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? plain.get() : name;
}

void fault_text(const std::string& what) {
  const std::string line = "emulated device: " + what + "\n";
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) std::abort();
  std::abort();
}

void watch_faults() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &g_before);
}

}  // namespace ersatz::cuda_module::emulated

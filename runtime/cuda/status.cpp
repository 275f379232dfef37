#include "runtime/cuda/status.h"

#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime/cuda/per_device.h"
#include "runtime/cuda/stream.h"
#include "runtime/op/op_entry.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz::cuda_module {
namespace {

/// The failure that made a device unusable. It is set once.
struct Poisoning {
  explicit Poisoning(int) {}
  std::atomic<bool> happened{false};
  std::mutex mutex;
  std::string text;
};
PerDevice<Poisoning> g_poisonings;

/// The process that loaded the module. A forked child has another id, and cannot use CUDA.
const pid_t g_loaded_by = getpid();

int current_device() {
  int device = 0;
  return driver().get_device(&device) == 0 && device >= 0 && device < kMaxDevices ? device : 0;
}

/// Returns the name of a call. A functor is given by its mangled name, which is demangled.
std::string readable(const char* call) {
  if (std::strpbrk(call, "(){}. ")) return call;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(call, nullptr, nullptr, &status), std::free);
  return status == 0 ? plain.get() : call;
}

std::string running_op() {
  const OpEntry* op = running_cuda_op();
  return op ? op->name + ": " : "";
}

}  // namespace

bool is_sticky(int status) {
  // Errors after which a device is unusable: ECC, NVLink, contained; illegal address, launch timeout, assert, stack,
  // instruction, misaligned, address space, program counter, launch failure, tensor memory leak; MPS client ended,
  // external device. driver_cuda.cpp checks the numbers against CUDA's names.
  constexpr int kSticky[] = {214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911};
  return std::find(std::begin(kSticky), std::end(kSticky), status) != std::end(kSticky);
}

bool is_usable(int device) { return !g_poisonings.of(device).happened.load(std::memory_order_acquire); }

void require_usable(int device) {
  if (is_usable(device)) [[likely]]
    return;
  fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "{}", g_poisonings.of(device).text);
}

void make_unusable(int device, std::string why) {
  Poisoning& p = g_poisonings.of(device);
  std::lock_guard lock(p.mutex);
  if (p.happened.load(std::memory_order_relaxed)) return;
  p.text = std::move(why);
  p.happened.store(true, std::memory_order_release);
}

void note_failure(int device, int status, const char* call) {
  if (status == 0) return;
  if (is_sticky(status)) {
    make_unusable(device, fmt::format("cuda:{} is unusable since {}{} ({}): restart the process", device, running_op(),
                                      driver().error_text(status), readable(call)));
  } else {
    driver().take_last_error();  // clears the error from the driver, because the next launch would report it
  }
}

void check_on(int device, int status, const char* call, const char* file, int line) {
  if (status == 0) [[likely]]
    return;
  require_usable(device);
  note_failure(device, status, call);
  const std::string op = running_op(), name = readable(call);
  if (getpid() != g_loaded_by) {
    fail(
        ErrorKind::NotSupported, ErrorFamily::Runtime,
        "cuda:{}: {}CUDA answers \"{}\" in a process that was forked from one that used it: start such processes anew, "
        "as Python's multiprocessing does with the method spawn",
        device, op, driver().error_text(status));
  }
  if (status == kOutOfMemory) {
    fail(ErrorKind::InvalidArgument, ErrorFamily::Runtime, "cuda:{}: {}out of memory in {}", device, op, name);
  }
  raise_internal_error(file, line, name.c_str(), "cuda:{}: {}{}", device, op, driver().error_text(status));
}

void check(int status, const char* call, const char* file, int line) {
  if (status != 0) check_on(current_device(), status, call, file, line);
}

void raise_fault_behind(const char* call, const char* file, int line) {
  const int device = current_device();
  const int status = driver().stream_synchronize(current_stream(device));
  if (is_sticky(status)) check_on(device, status, call, file, line);
}

void raise_out_of_memory(int device, int64_t asked, int64_t live, int64_t cached) {
  DeviceScope scope(device);
  int64_t free = 0, total = 0;
  note_failure(device, driver().free_bytes(&free, &total), "free_bytes");
  fail(ErrorKind::InvalidArgument, ErrorFamily::Runtime,
       "cuda:{}: {}out of memory: {} bytes asked, {} free of {}, {} live and {} cached by ersatz", device, running_op(),
       asked, free, total, live, cached);
}

}  // namespace ersatz::cuda_module

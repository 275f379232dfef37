// Runs kernels that a test writes as PTX, on arrays of the interpreter's device.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/ptx/checks.h"
#include "tests/ptx/device_memory.h"
#include "tests/ptx/machine.h"
#include "tests/ptx/parser.h"
#include "tests/ptx/thread.h"

namespace ersatz::ptx {

/// Parses a module with an entry `k`, which has this body and the parameters `to` and `from`. `head` comes before it.
inline std::unique_ptr<Module> module_of(const std::string& body, const std::string& head = "") {
  return parse_module("a test", ".version 9.0\n.target sm_90\n.address_size 64\n" + head +
                                    "\n.visible .entry k(\n .param .u64 to,\n .param .u64 from\n)\n{\n" + body +
                                    "\n}\n");
}

/// An array in device memory.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t n, bool is_written = true) : n_(n) {
    data_ = static_cast<T*>(DeviceMemory::instance().allocate(n * sizeof(T), false));
    if (!is_written) return;
    std::memset(data_, 0, n * sizeof(T));
    DeviceMemory::instance().mark_written(data_, n * sizeof(T));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { DeviceMemory::instance().free(data_); }
  T* data() { return data_; }
  T& operator[](size_t i) { return data_[i]; }
  std::vector<T> values() const { return {data_, data_ + n_}; }

 private:
  size_t n_;
  T* data_;
};

inline void run_kernel(Module& m, void* to, const void* from, uint32_t threads, uint32_t blocks = 1,
                       size_t shared_bytes = 0) {
  void* arguments[] = {&to, &from};
  launch(*m.functions.at("k"), {blocks, 1, 1}, {threads, 1, 1}, shared_bytes, arguments);
}
inline void run_kernel(const std::string& body, void* to, const void* from, uint32_t threads, uint32_t blocks = 1) {
  run_kernel(*module_of(body), to, from, threads, blocks);
}

/// Returns the value of %v, which is 0 before `body`, of each of `threads` threads; %t is the thread's number in the
/// block.
inline std::vector<uint32_t> of_each_thread(const std::string& body, uint32_t threads, const std::string& head = "") {
  DeviceArray<uint32_t> to(threads);
  const auto m = module_of(R"(
    .reg .pred %p<8>; .reg .b32 %t, %v, %x<8>; .reg .b64 %to, %rd<8>;
    mov.u32 %t, %tid.x;
    mov.u32 %v, 0;
    ld.param.u64 %to, [to];
    cvta.to.global.u64 %to, %to;
    mul.wide.u32 %rd7, %t, 4;
    add.s64 %to, %to, %rd7;
)" + body + "\n st.global.u32 [%to], %v;\n ret;",
                           head);
  run_kernel(*m, to.data(), nullptr, threads);
  return to.values();
}

/// Returns the fault of a launch of the body.
inline Fault fault_of(const std::string& body, void* to, const void* from, uint32_t threads = 1) {
  try {
    run_kernel(body, to, from, threads);
  } catch (const Fault& fault) {
    return fault;
  }
  ADD_FAILURE() << "no fault";
  return Fault(0, "");
}

}  // namespace ersatz::ptx

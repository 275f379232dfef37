// Replaces tests/emulated_cuda/work.h when the loops for products, convolutions, attention and pooling (blas.cpp and
// dnn_*.cpp there) are compiled for the PTX device. That device runs work in program order.
#pragma once

#include <vector>

#include "runtime/cuda/stream.h"

namespace ersatz::ptx {
void mark_allocation_written(const void* address);
}

namespace ersatz::cuda_module::emulated {

class Work {
 public:
  Work(int, const char*) {}
  Work(StreamHandle, const char*) {}
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() {
    for (const void* address : written_) ptx::mark_allocation_written(address);
  }
  void reads(const void*) {}
  void writes(const void* address) { written_.push_back(address); }

 private:
  std::vector<const void*> written_;
};

}  // namespace ersatz::cuda_module::emulated

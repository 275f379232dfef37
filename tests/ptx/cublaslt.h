// Functions of this folder's libcublasLt.so that cuBLASLt does not have.
#pragma once

#include <string>

namespace ersatz::ptx {

/// Marks the device memory that a product writes as written. The PTX device defines it (runtime.cpp).
void mark_allocation_written(const void* address);

/// Returns why the last call of a cuBLASLt function on this thread failed. Empty if it succeeded.
const std::string& cublaslt_refusal();

/// Returns how many descriptors exist.
int cublaslt_descriptors();

}  // namespace ersatz::ptx

// Matrix products of the PTX device: what libcublasLt.so of this folder has besides cuBLASLt's functions.
#pragma once

#include <string>

namespace ersatz::ptx {

/// Marks the device memory that a product writes as written. The PTX device defines it (runtime.cpp).
void mark_allocation_written(const void* address);

/// Returns why the last call of a function of cuBLASLt on this thread did not succeed. Empty if it did.
const std::string& cublaslt_refusal();

/// Returns how many descriptors exist.
int cublaslt_descriptors();

}  // namespace ersatz::ptx

// Storages whose bool elements may have bytes other than 0 and 1: memory of other libraries, and tensors of other
// dtypes that are viewed as bool. Every byte except 0 means true. Kernels read only 0 and 1, so a real call gives its
// kernel copies of these elements (runtime/op/real_call.cpp).
//
// Any thread may call these functions. A storage that dies is forgotten.
#pragma once

#include <cstdint>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Returns whether any storage is marked. The test is fast.
bool any_loose_bools();
bool has_loose_bools(const Storage& storage);

/// Marks the storage, because a tensor of another dtype on it was viewed as bool.
void mark_loose_bools(const Storage& storage);
/// Marks the storage of a bool tensor on foreign memory if a byte of it is neither 0 nor 1, or if the host cannot read
/// it. Does nothing for other dtypes.
void mark_if_loose(const Tensor& t);
/// Removes the mark of a storage that is destroyed. Only the destructor of Storage calls it.
void forget_loose_bools(uint64_t storage_id);

}  // namespace ersatz

// Which results of a call share storage with which arguments and with each other.
#pragma once

#include <span>
#include <string>

#include "runtime/tensor.h"

namespace ersatz {

/// Where one result stands. Tensors are numbered: the call's flat tensor arguments, then its flat results.
struct AliasPlace {
  int same_object = -1;   ///< the first earlier tensor that is this very object
  int same_storage = -1;  ///< the first earlier tensor on the same storage
  bool operator==(const AliasPlace&) const = default;
};
using AliasMap = InlineVec<AliasPlace, 3>;

/// One place per result; results that are no tensors have none of either. Storages of different identity that share
/// bytes count as the same one: that is how a kernel hands out its input's memory under another name.
AliasMap alias_map(std::span<TensorImpl* const> arguments, std::span<const Tensor> results);

/// `is argument 0`, `shares the storage of argument 1`, `shares the storage of result 0`, `has its own storage`.
std::string to_string(const AliasPlace& place, size_t arguments);

}  // namespace ersatz

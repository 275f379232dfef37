// Finds the results of a call that share storage with an argument or with an earlier result, and the bytes that they
// share.
#pragma once

#include <span>
#include <string>

#include "runtime/op/value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// The earlier tensor that a result is, or shares storage with. Tensors are numbered: first the call's tensor
/// arguments, then its results, counting each element of a list.
struct AliasPlace {
  int same_object = -1;   ///< number of the first earlier tensor that is this TensorImpl; -1: none
  int same_storage = -1;  ///< number of the first earlier tensor on this storage; -1: none
  /// The result's elements are in bytes [begin, end) of the storage of tensor `same_storage`. Both are -1 if the result
  /// shares no storage or its metadata is symbolic.
  int64_t begin = -1, end = -1;
  /// Compares the tensor numbers only. `same_bytes` compares the byte ranges, which are unknown in predictions that
  /// made no tensors.
  bool operator==(const AliasPlace& o) const { return same_object == o.same_object && same_storage == o.same_storage; }
  bool same_bytes(const AliasPlace& o) const { return begin < 0 || o.begin < 0 || (begin == o.begin && end == o.end); }
};
using AliasMap = InlineVec<AliasPlace, 3>;

/// Returns whether `a` and `b` are one storage, or two real storages with overlapping bytes. Two storages overlap if a
/// kernel returns its input's memory in a new storage.
bool share_bytes(const Storage& a, const Storage& b);

/// Returns one AliasPlace per result. A result that is no tensor has the default AliasPlace, which shares nothing.
AliasMap alias_map(std::span<TensorImpl* const> arguments, std::span<const Value> results);
/// Appends the AliasPlaces that `alias_map` returns to `map`. REQUIRES: `map` is empty.
void fill_alias_map(AliasMap& map, std::span<TensorImpl* const> arguments, std::span<const Value> results);

/// Returns `is argument 0`, `shares the storage of argument 1`, `shares the storage of result 0` or `has its own
/// storage`.
std::string to_string(const AliasPlace& place, size_t arguments);

/// Returns the text for the tensor `result`, with its byte range: `is argument 0`, `is a view of argument 1 at bytes
/// [4,16) with strides {1}`, `is a view of result 0 at ...`, `has its own storage`.
std::string to_string(const AliasPlace& place, size_t arguments, const TensorImpl& result);
/// Returns the result's metadata with its AliasPlace as a suffix: `f32[3]{1}+1@cpu ~arg0[4:16)`.
std::string spell_with_alias(const AliasPlace& place, size_t arguments, const TensorMeta& meta);

}  // namespace ersatz

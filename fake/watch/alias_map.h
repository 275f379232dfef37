// Says which results of a call share storage with its arguments and with each other, and which bytes.
#pragma once

#include <span>
#include <string>

#include "runtime/op/value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// The earlier tensor that one result is, or shares storage with. Tensors are numbered: first the call's flat tensor
/// arguments, then its flat results.
struct AliasPlace {
  int same_object = -1;   ///< the first earlier tensor that is this very object
  int same_storage = -1;  ///< the first earlier tensor on the same storage
  /// The result's elements are in bytes [begin, end) of the storage of tensor `same_storage`. Both are -1 if the result
  /// shares no storage or its metadata is symbolic.
  int64_t begin = -1, end = -1;
  /// Compares the tensor numbers only. `same_bytes` compares the bytes apart, because predictions without tensors have
  /// none.
  bool operator==(const AliasPlace& o) const { return same_object == o.same_object && same_storage == o.same_storage; }
  bool same_bytes(const AliasPlace& o) const { return begin < 0 || o.begin < 0 || (begin == o.begin && end == o.end); }
};
using AliasMap = InlineVec<AliasPlace, 3>;

/// Whether `a` and `b` are one storage, or two real storages with overlapping bytes. They overlap if a kernel returns
/// its input's memory in a new storage.
bool share_bytes(const Storage& a, const Storage& b);

/// Returns one place per result. A result that is no tensor has the default place: it shares nothing.
AliasMap alias_map(std::span<TensorImpl* const> arguments, std::span<const Value> results);
/// Fills `map`, which must be empty, with the places that `alias_map` returns.
void fill_alias_map(AliasMap& map, std::span<TensorImpl* const> arguments, std::span<const Value> results);

/// `is argument 0`, `shares the storage of argument 1`, `shares the storage of result 0`, `has its own storage`.
std::string to_string(const AliasPlace& place, size_t arguments);

/// Text with the byte range, for tensor `result`: `is argument 0`, `is a view of argument 1 at bytes [4,16) with
/// strides {1}`, `is a view of result 0 at ...`, `has its own storage`.
std::string to_string(const AliasPlace& place, size_t arguments, const TensorImpl& result);
/// The result's metadata with its place as a suffix: `f32[3]{1}+1@cpu ~arg0[4:16)`.
std::string spell_with_alias(const AliasPlace& place, size_t arguments, const TensorMeta& meta);

}  // namespace ersatz

// Which results of a call share storage with which arguments and with each other, to the byte.
#pragma once

#include <span>
#include <string>

#include "runtime/op/value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// Which earlier tensor one result is or shares storage with. Tensors are numbered: the call's flat tensor arguments,
/// then its flat results.
struct AliasPlace {
  int same_object = -1;   ///< the first earlier tensor that is this very object
  int same_storage = -1;  ///< the first earlier tensor on the same storage
  /// Bytes of that tensor's storage that the result's elements lie in: [begin, end). Both -1 where it shares nothing or
  /// its metadata is symbolic.
  int64_t begin = -1, end = -1;
  /// The same tensors; their bytes are compared apart, since predictions without tensors have none.
  bool operator==(const AliasPlace& o) const { return same_object == o.same_object && same_storage == o.same_storage; }
  bool same_bytes(const AliasPlace& o) const { return begin < 0 || o.begin < 0 || (begin == o.begin && end == o.end); }
};
using AliasMap = InlineVec<AliasPlace, 3>;

/// Do two storages hold the same bytes? The same storage, or two real ones that overlap: that is how a kernel hands out
/// its input's memory under another name.
bool share_bytes(const Storage& a, const Storage& b);

/// One place per result; results that are no tensors have none of either.
AliasMap alias_map(std::span<TensorImpl* const> arguments, std::span<const Value> results);
/// The same into an empty map.
void fill_alias_map(AliasMap& map, std::span<TensorImpl* const> arguments, std::span<const Value> results);

/// `is argument 0`, `shares the storage of argument 1`, `shares the storage of result 0`, `has its own storage`.
std::string to_string(const AliasPlace& place, size_t arguments);

/// `is argument 0`, `is a view of argument 1 at bytes [4,16) with strides {1}`, `is a view of result 0 at ...`, `has
/// its own storage`. `result` is that result.
std::string to_string(const AliasPlace& place, size_t arguments, const TensorImpl& result);
/// The result's metadata with a suffix for its place: `f32[3]{1}+1@cpu ~arg0[4:16)`.
std::string spell_with_alias(const AliasPlace& place, size_t arguments, const TensorMeta& meta);

}  // namespace ersatz

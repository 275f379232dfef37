#include "fake/watch/alias_map.h"

#include <fmt/format.h>

#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

/// The body of `share_bytes`. It is inline because `fill_alias_map` calls it for each pair of a result and an earlier
/// tensor.
inline bool overlap(const Storage& a, const Storage& b) {
  if (&a == &b) return true;
  if (!a.has_bytes() || !b.has_bytes() || a.device() != b.device()) return false;
  const std::byte *a0 = a.data(), *b0 = b.data();
  if (!a0 || !b0) return false;
  return a0 < b0 + b.nbytes().as_int() && b0 < a0 + a.nbytes().as_int();
}

/// Sets `place.begin` and `place.end`: the bytes of `t` in the storage of `other`. REQUIRES: the two storages share
/// bytes.
void find_bytes(AliasPlace& place, const TensorImpl& other, const TensorImpl& t) {
  if (t.meta.is_symbolic()) return;
  int64_t start = 0;
  if (other.storage != t.storage) start = t.storage->data() - other.storage->data();
  const int64_t item = item_size(t.meta.dtype);
  int64_t first = t.meta.offset.as_int(), behind = first;
  if (t.meta.numel().as_int() > 0) {
    const auto range = element_range(t.meta);
    first = range.first;
    behind = range.second + 1;
  }
  place.begin = start + first * item;
  place.end = start + behind * item;
}

std::string who(int number, size_t arguments, const char* argument, const char* result) {
  const auto n = static_cast<size_t>(number);
  return n < arguments ? fmt::format("{}{}", argument, n) : fmt::format("{}{}", result, n - arguments);
}

}  // namespace

bool share_bytes(const Storage& a, const Storage& b) { return overlap(a, b); }

AliasMap alias_map(std::span<TensorImpl* const> arguments, std::span<const Value> results) {
  AliasMap map;
  fill_alias_map(map, arguments, results);
  return map;
}

void fill_alias_map(AliasMap& map, std::span<TensorImpl* const> arguments, std::span<const Value> results) {
  for (size_t i = 0; i < results.size(); ++i) {
    AliasPlace& place = map.emplace_back();
    if (!results[i].is_tensor()) continue;
    const TensorImpl* t = results[i].tensor_impl();
    const Storage& storage = *t->storage;
    const auto see = [&](const TensorImpl* other, size_t number) {
      if (place.same_object < 0 && other == t) place.same_object = static_cast<int>(number);
      if (place.same_storage < 0 && overlap(*other->storage, storage)) {
        place.same_storage = static_cast<int>(number);
        find_bytes(place, *other, *t);
      }
    };
    for (size_t a = 0; a < arguments.size(); ++a) {
      if (arguments[a]) see(arguments[a], a);
    }
    for (size_t r = 0; r < i; ++r) {
      if (results[r].is_tensor()) see(results[r].tensor_impl(), arguments.size() + r);
    }
  }
}

std::string to_string(const AliasPlace& place, size_t arguments) {
  if (place.same_object >= 0) return "is " + who(place.same_object, arguments, "argument ", "result ");
  if (place.same_storage < 0) return "has its own storage";
  return "shares the storage of " + who(place.same_storage, arguments, "argument ", "result ");
}

std::string to_string(const AliasPlace& place, size_t arguments, const TensorImpl& result) {
  if (place.same_object >= 0 || place.same_storage < 0) return to_string(place, arguments);
  std::string text = "is a view of " + who(place.same_storage, arguments, "argument ", "result ");
  if (place.begin >= 0) text += fmt::format(" at bytes [{},{})", place.begin, place.end);
  const auto& strides = result.meta.strides;
  return text + fmt::format(" with strides {{{}}}", fmt::join(strides.begin(), strides.end(), ","));
}

std::string spell_with_alias(const AliasPlace& place, size_t arguments, const TensorMeta& meta) {
  MetaText text;
  text.meta = meta;
  if (place.same_object < 0 && place.same_storage >= 0) {
    text.alias = who(place.same_storage, arguments, "arg", "result");
    if (place.begin >= 0) text.alias_bytes = {place.begin, place.end};
  }
  return to_string(text);
}

}  // namespace ersatz

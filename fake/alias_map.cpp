#include "fake/alias_map.h"

#include <fmt/format.h>

namespace ersatz {
namespace {

bool share(const Storage& a, const Storage& b) {
  if (&a == &b) return true;
  if (!a.has_bytes() || !b.has_bytes() || a.device() != b.device()) return false;
  const std::byte *a0 = a.data(), *b0 = b.data();
  if (!a0 || !b0) return false;
  return a0 < b0 + b.nbytes().as_int() && b0 < a0 + a.nbytes().as_int();
}

}  // namespace

AliasMap alias_map(std::span<TensorImpl* const> arguments, std::span<const Tensor> results) {
  AliasMap map;
  for (size_t i = 0; i < results.size(); ++i) {
    AliasPlace& place = map.emplace_back();
    if (!results[i]) continue;
    const TensorImpl* t = results[i].impl();
    const auto see = [&](const TensorImpl* other, size_t number) {
      if (!other) return;
      if (place.same_object < 0 && other == t) place.same_object = static_cast<int>(number);
      if (place.same_storage < 0 && share(*other->storage, *t->storage)) place.same_storage = static_cast<int>(number);
    };
    for (size_t a = 0; a < arguments.size(); ++a) see(arguments[a], a);
    for (size_t r = 0; r < i; ++r) see(results[r].impl(), arguments.size() + r);
  }
  return map;
}

std::string to_string(const AliasPlace& place, size_t arguments) {
  const auto who = [&](int number) {
    const auto n = static_cast<size_t>(number);
    return n < arguments ? fmt::format("argument {}", n) : fmt::format("result {}", n - arguments);
  };
  if (place.same_object >= 0) return "is " + who(place.same_object);
  if (place.same_storage >= 0) return "shares the storage of " + who(place.same_storage);
  return "has its own storage";
}

}  // namespace ersatz

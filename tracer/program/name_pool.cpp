#include "tracer/program/name_pool.h"

#include <cstring>
#include <functional>

#include "runtime/base/one_line.h"

namespace ersatz {

namespace {
constexpr size_t kBlockBytes = 64 * 1024;

/// The hash of what stands before the number at the end, and that number: add_120 and add_121 follow each other.
uint32_t hash_of(std::string_view text) {
  size_t stem = text.size();
  while (stem > 0 && text.size() - stem < 9 && text[stem - 1] >= '0' && text[stem - 1] <= '9') --stem;
  uint32_t number = 0;
  for (const char digit : text.substr(stem)) number = number * 10 + static_cast<uint32_t>(digit - '0');
  return static_cast<uint32_t>(std::hash<std::string_view>()(text.substr(0, stem))) + number;
}
}  // namespace

NamePool::NamePool() { intern({}); }

NamePool::Place NamePool::look_up(std::string_view text) const {
  for (uint32_t key = hash_of(text);; key = key * 0x9E3779B1u + 1) {  // another one where other names have taken it
    const NameId* id = ids_.find(key);
    if (!id || names_[*id] == text) return {key, id};
  }
}

NameId NamePool::intern(std::string_view text) {
  const Place place = look_up(text);
  if (place.id) return *place.id;
  if (has_control(text)) return intern(one_line(text));
  const NameId id = static_cast<NameId>(names_.size());
  names_.push_back(keep(text));
  ids_.set(place.key, id);
  return id;
}

std::optional<NameId> NamePool::find(std::string_view text) const {
  if (has_control(text)) return find(one_line(text));
  const Place place = look_up(text);
  if (!place.id) return std::nullopt;
  return *place.id;
}

std::string_view NamePool::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > room_) {
    room_ = text.size() > kBlockBytes ? text.size() : kBlockBytes;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(room_));
    next_ = blocks_.back().get();
  }
  std::memcpy(next_, text.data(), text.size());
  const std::string_view kept(next_, text.size());
  next_ += text.size();
  room_ -= text.size();
  return kept;
}

}  // namespace ersatz

#include "tracer/program/name_pool.h"

#include <cstring>
#include <functional>

#include "runtime/base/one_line.h"
#include "tracer/program/number_map.h"

namespace ersatz {

namespace {
constexpr size_t kBlockBytes = 64 * 1024;

/// Returns the hash of the text without its trailing number, plus that number. So names like add_120 and add_121 get
/// neighbouring keys, which NumberMap finds fast.
uint32_t hash_of(std::string_view text) {
  size_t stem = text.size();
  while (stem > 0 && text.size() - stem < 9 && text[stem - 1] >= '0' && text[stem - 1] <= '9') --stem;
  uint32_t number = 0;
  for (const char digit : text.substr(stem)) number = number * 10 + static_cast<uint32_t>(digit - '0');
  return static_cast<uint32_t>(std::hash<std::string_view>()(text.substr(0, stem))) + number;
}
}  // namespace

struct NamePool::Impl {
  struct Place {
    uint32_t key;      ///< key in `ids`
    const NameId* id;  ///< null: the name is not in the pool, and `key` is free
  };
  Place look_up(std::string_view text, const std::vector<std::string_view>& names) const;
  std::string_view keep(std::string_view text);

  std::vector<std::unique_ptr<char[]>> blocks;
  size_t room = 0;  ///< number of bytes left in the newest block
  char* next = nullptr;
  NumberMap ids;  ///< hash -> NameId
};

NamePool::NamePool() : impl_(std::make_unique<Impl>()) { intern({}); }
NamePool::NamePool(NamePool&&) noexcept = default;
NamePool& NamePool::operator=(NamePool&&) noexcept = default;
NamePool::~NamePool() = default;

NamePool::Impl::Place NamePool::Impl::look_up(std::string_view text, const std::vector<std::string_view>& names) const {
  for (uint32_t key = hash_of(text);;
       key = key * 0x9E3779B1u + 1) {  // tries other keys as long as another name has the key
    const NameId* id = ids.find(key);
    if (!id || names[*id] == text) return {key, id};
  }
}

NameId NamePool::intern(std::string_view text) {
  const Impl::Place place = impl_->look_up(text, names_);
  if (place.id) return *place.id;
  if (has_control(text)) return intern(one_line(text));
  const NameId id = static_cast<NameId>(names_.size());
  names_.push_back(impl_->keep(text));
  impl_->ids.set(place.key, id);
  return id;
}

std::optional<NameId> NamePool::find(std::string_view text) const {
  if (has_control(text)) return find(one_line(text));
  const Impl::Place place = impl_->look_up(text, names_);
  if (!place.id) return std::nullopt;
  return *place.id;
}

std::string_view NamePool::Impl::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > room) {
    room = text.size() > kBlockBytes ? text.size() : kBlockBytes;
    blocks.push_back(std::make_unique_for_overwrite<char[]>(room));
    next = blocks.back().get();
  }
  std::memcpy(next, text.data(), text.size());
  const std::string_view kept(next, text.size());
  next += text.size();
  room -= text.size();
  return kept;
}

}  // namespace ersatz

#include "tracer/program/name_pool.h"

#include <cstring>

#include "runtime/base/one_line.h"

namespace ersatz {

namespace {
constexpr size_t kBlockBytes = 64 * 1024;
}

NamePool::NamePool() { intern({}); }

NameId NamePool::intern(std::string_view text) {
  if (auto found = ids_.find(text); found != ids_.end()) return found->second;
  if (has_control(text)) return intern(one_line(text));
  const NameId id = static_cast<NameId>(names_.size());
  const std::string_view kept = keep(text);
  names_.push_back(kept);
  ids_.emplace(kept, id);
  return id;
}

std::optional<NameId> NamePool::find(std::string_view text) const {
  if (has_control(text)) return find(one_line(text));
  auto found = ids_.find(text);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

std::string_view NamePool::keep(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > room_) {
    room_ = text.size() > kBlockBytes ? text.size() : kBlockBytes;
    blocks_.push_back(std::make_unique<char[]>(room_));
    next_ = blocks_.back().get();
  }
  std::memcpy(next_, text.data(), text.size());
  const std::string_view kept(next_, text.size());
  next_ += text.size();
  room_ -= text.size();
  return kept;
}

}  // namespace ersatz

#include "fake/mode/dispatch_cache.h"

namespace ersatz {

Ref<const CachedAnswer> DispatchCache::find(const CacheKey& key) {
  std::lock_guard lock(mutex_);
  const auto found = by_key_.find(&key);
  if (found == by_key_.end()) return {};
  const auto entry = found->second;
  if (entry != entries_.begin()) entries_.splice(entries_.begin(), entries_, entry);
  ++entry->hits;
  hits_.fetch_add(1, std::memory_order_relaxed);
  return entry->answer;
}

void DispatchCache::insert(const OpEntry& op, const CacheKey& key, Ref<const CachedAnswer> answer) {
  std::lock_guard lock(mutex_);
  ++counts_.misses;
  if (capacity_ == 0 || by_key_.contains(&key)) return;
  if (entries_.size() == capacity_) {
    by_key_.erase(&entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, &op, std::move(answer)});
  by_key_.emplace(&entries_.front().key, entries_.begin());
}

void DispatchCache::note_bypass(std::string_view reason) {
  std::lock_guard lock(mutex_);
  const auto found = counts_.bypasses.find(reason);
  if (found != counts_.bypasses.end()) {
    ++found->second;
  } else {
    counts_.bypasses.emplace(reason, 1);
  }
}

CacheInfo DispatchCache::info() const {
  std::lock_guard lock(mutex_);
  CacheInfo info = counts_;
  info.hits = hits();
  info.size = entries_.size();
  return info;
}

std::vector<CacheEntryInfo> DispatchCache::entries() const {
  std::lock_guard lock(mutex_);
  std::vector<CacheEntryInfo> infos;
  infos.reserve(entries_.size());
  for (const Entry& e : entries_) infos.push_back({e.op->name, e.answer->text(), e.hits});
  return infos;
}

void DispatchCache::clear() {
  std::lock_guard lock(mutex_);
  by_key_.clear();
  entries_.clear();
  counts_ = {};
  hits_ = 0;
}

}  // namespace ersatz

#include "tools/program/peak_expression.h"

#include "fake/observe/memory_meter.h"

namespace ersatz::tools {

bool PeakExpression::at_most(SymInt a, SymInt b) const {
  if (a.is_int() && b.is_int()) return a.as_int() <= b.as_int();
  return env_.statically({SymCompare::Le, a, b}).value_or(false);
}

void PeakExpression::add(const Storage& s) {
  if (unknown_) return;
  try {
    const SymInt bytes = allocated_bytes(s.nbytes(), s.device());
    const auto [entry, fresh] = live_.try_emplace(s.id(), bytes);
    if (!fresh && entry->second.is_identical(bytes)) return;
    total_ += bytes;
    note();
    if (!fresh) total_ -= std::exchange(entry->second, bytes);
  } catch (const Error& e) {  // a sum overflows 64 bits
    if (e.kind == ErrorKind::InternalError) throw;
    unknown_ = true;
  }
}

void PeakExpression::remove(uint64_t storage_id) {
  const auto found = live_.find(storage_id);
  if (unknown_ || found == live_.end()) return;
  total_ -= found->second;
  live_.erase(found);
}

void PeakExpression::note() {
  for (const SymInt h : highest_) {
    if (at_most(total_, h)) return;
  }
  std::erase_if(highest_, [&](SymInt h) { return at_most(h, total_); });
  highest_.push_back(total_);
  unknown_ = highest_.size() > kMost;
}

std::optional<SymInt> PeakExpression::peak() const {
  if (unknown_) return std::nullopt;
  SymInt most = 0;
  for (const SymInt h : highest_) most = highest_.size() == 1 ? h : sym_max(most, h);
  return most;
}

}  // namespace ersatz::tools

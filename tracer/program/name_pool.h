// Interned strings: each distinct name is kept once and is a number from then on.
//
// Programs have up to millions of names (values, ops, source lines, qualified names); comparing and storing them as
// numbers keeps a node flat. A name is one line: control characters, which could forge a line of a report or steer a
// terminal, are spelt out (runtime/base/one_line.h). Number 0 is the empty string. Names are never removed; views stay
// valid as long as the pool. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace ersatz {

using NameId = uint32_t;

class NamePool {
 public:
  NamePool();
  NamePool(NamePool&&) noexcept;
  NamePool& operator=(NamePool&&) noexcept;
  ~NamePool();
  NameId intern(std::string_view text);
  std::optional<NameId> find(std::string_view text) const;
  std::string_view operator[](NameId id) const { return names_[id]; }
  size_t size() const { return names_.size(); }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::vector<std::string_view> names_;
};

}  // namespace ersatz

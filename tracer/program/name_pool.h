// Interned strings: each different name is stored once and has a number.
//
// A program may have millions of names (values, ops, source lines, qualified names). With numbers, nodes are small and
// fast to compare. A name is one line: control characters are escaped (runtime/base/one_line.h), because they could
// forge a line of a report or control a terminal. Number 0 is the empty string. Names are never removed, and views of
// them are valid as long as the pool exists. Not thread-safe.
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

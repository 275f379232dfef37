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

#include "tracer/program/number_map.h"

namespace ersatz {

using NameId = uint32_t;

class NamePool {
 public:
  NamePool();
  NameId intern(std::string_view text);
  std::optional<NameId> find(std::string_view text) const;
  std::string_view operator[](NameId id) const { return names_[id]; }
  size_t size() const { return names_.size(); }

 private:
  struct Place {
    uint32_t key;      ///< in `ids_`
    const NameId* id;  ///< null: the text is no name yet, and the key is free
  };
  Place look_up(std::string_view text) const;
  std::string_view keep(std::string_view text);
  std::vector<std::unique_ptr<char[]>> blocks_;
  size_t room_ = 0;  ///< bytes left in the newest block
  char* next_ = nullptr;
  std::vector<std::string_view> names_;
  NumberMap ids_;  ///< by hash
};

}  // namespace ersatz

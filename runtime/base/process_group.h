// Process groups as data: their names, sizes and this process's rank, for rules of collectives.
//
// No data is sent. Equal lists of groups are stored once and never freed, so pointers to a list can be compared instead
// of lists.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

struct ProcessGroup {
  std::string name;
  int64_t size = 1;
  int64_t rank = 0;     ///< the rank of this process
  std::string backend;  ///< `gloo`, `nccl`, `fake`; empty: unknown
  bool operator==(const ProcessGroup&) const = default;
};

class ProcessGroups {
 public:
  /// Returns the stored list that equals `groups`. Raises InvalidArgument if a rank is not below its group's size, or
  /// if a name occurs twice. Any thread may call it.
  static const ProcessGroups* of(std::vector<ProcessGroup> groups);

  /// Returns the group of that name, or null if there is none.
  const ProcessGroup* find(std::string_view name) const;
  const std::vector<ProcessGroup>& all() const { return groups_; }

 private:
  explicit ProcessGroups(std::vector<ProcessGroup> groups) : groups_(std::move(groups)) {}
  std::vector<ProcessGroup> groups_;
};

/// Parses `NAME:SIZE:RANK` or `NAME:SIZE:RANK:BACKEND`. Raises InvalidArgument for other text.
ProcessGroup parse_process_group(std::string_view text);

}  // namespace ersatz

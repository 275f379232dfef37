// Groups of processes, as data: what collectives ask of the group that they name.
//
// Nothing is sent. A list of groups is kept once for each content and never freed, so that lists are equal where their
// pointers are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

struct ProcessGroup {
  std::string name;
  int64_t size = 1;
  int64_t rank = 0;     ///< of this process
  std::string backend;  ///< `gloo`, `nccl`, `fake`; empty: unknown
  bool operator==(const ProcessGroup&) const = default;
};

class ProcessGroups {
 public:
  /// The list of these groups. InvalidArgument where a rank is not below its group's size, or a name is there twice.
  /// Any thread.
  static const ProcessGroups* of(std::vector<ProcessGroup> groups);

  /// Null where no group has that name.
  const ProcessGroup* find(std::string_view name) const;
  const std::vector<ProcessGroup>& all() const { return groups_; }

 private:
  explicit ProcessGroups(std::vector<ProcessGroup> groups) : groups_(std::move(groups)) {}
  std::vector<ProcessGroup> groups_;
};

/// Reads `NAME:SIZE:RANK` or `NAME:SIZE:RANK:BACKEND`; InvalidArgument where it is neither.
ProcessGroup parse_process_group(std::string_view text);

}  // namespace ersatz

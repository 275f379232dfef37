#include "runtime/op/write_count.h"

#include <unordered_map>

namespace ersatz {
namespace {

std::unordered_map<std::string, WriteCount>& counts() {
  static std::unordered_map<std::string, WriteCount> by_name;
  return by_name;
}

}  // namespace

void count_writes(const OpEntry& op, WriteCount count) { counts().insert_or_assign(op.name, count); }

WriteCount write_count_of(const OpEntry& op) {
  const auto found = counts().find(op.functional ? op.functional->name : op.name);
  return found == counts().end() ? nullptr : found->second;
}

}  // namespace ersatz

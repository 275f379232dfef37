// A region is a set of sizes of a program's symbols: all declared sizes, or those that also satisfy some conditions.
//
// A condition is the text of a truth value (`(batch>=2)`), so that any ShapeEnv can parse it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz::tools {

using SizePoint = std::map<std::string, int64_t, std::less<>>;
std::string sizes_text(const SizePoint& sizes);  ///< for example `batch=4, n=2`

/// The ranges and conditions that the program declares for its symbols, before any run.
struct DeclaredSizes {
  std::vector<SymbolInfo> symbols;
  std::vector<std::string> conditions;
};
DeclaredSizes declared_sizes(const Program& program);

std::string condition_text(const SymCondition& c);
std::string opposite(const std::string& condition);
/// Returns a condition in the spelling of reports: `batch >= 2`.
std::string readable(const std::string& condition);

class Region {
 public:
  /// Makes the region of declared sizes that satisfy the conditions. It is empty if they contradict each other.
  Region(const DeclaredSizes& declared, std::span<const std::string> conditions);

  enum class Found : uint8_t { Point, Nothing, Unknown };
  /// Searches sizes in the region, near `example` if possible. Tries small numbers, powers of two, the ends of ranges,
  /// and numbers in the conditions. `Nothing` means that the region is known to be empty.
  Found find(const SizePoint& example, SizePoint& point) const;
  /// True if it can be shown that the condition holds for all sizes of the region.
  bool implies(const std::string& condition) const;
  /// Returns the only value that the symbol can have in the region; nullopt if it can have several.
  std::optional<int64_t> value(std::string_view symbol) const;
  /// Returns the expression over other symbols that the symbol equals in the region; empty if there is none.
  std::string equal(std::string_view symbol) const;

 private:
  mutable ShapeEnv env_;
  std::vector<std::string> conditions_;
  bool empty_ = false;
};

/// Returns the indices, in order, of conditions that imply all others. If one of several conditions is redundant, the
/// latest one is left out.
std::vector<size_t> independent(const DeclaredSizes& declared, std::span<const std::string> conditions);
/// Returns the guards in `made` that others do not imply, with bounds merged. If there are more than 64 guards, they
/// are returned unchanged.
std::vector<Guard> independent(const ShapeEnv& env, std::vector<Guard> made);

/// Returns equivalent conditions for reports: first values of symbols (`batch = 1`), then the rest.
std::vector<std::string> shortest(const DeclaredSizes& declared, std::span<const std::string> conditions);

}  // namespace ersatz::tools

// A region: the sizes of a program's symbols that are declared, or those that also satisfy some conditions.
//
// A condition is the text of a truth value (`(batch>=2)`), so that any environment can parse it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracer/program/program.h"

namespace ersatz::tools {

using SizePoint = std::map<std::string, int64_t, std::less<>>;
std::string sizes_text(const SizePoint& sizes);  ///< `batch=4, n=2`

/// Ranges, constraints and conditions that the program declares for its symbols before a run.
struct DeclaredSizes {
  std::vector<SymbolInfo> symbols;
  std::vector<std::string> conditions;
};
DeclaredSizes declared_sizes(const Program& program);

std::string condition_text(const SymCondition& c);
std::string opposite(const std::string& condition);
/// Spelled for people: `batch >= 2`.
std::string readable(const std::string& condition);

class Region {
 public:
  /// If the conditions contradict each other, the region is empty.
  Region(const DeclaredSizes& declared, std::span<const std::string> conditions);

  enum class Found : uint8_t { Point, Nothing, Unknown };
  /// Looks for sizes in the region, near `example` if possible. Tries small numbers, powers of two, the ends of ranges,
  /// and numbers in the conditions. `Nothing` means that the region is proved empty.
  Found find(const SizePoint& example, SizePoint& point) const;
  /// True if the condition is known to hold for all sizes of the region.
  bool implies(const std::string& condition) const;
  /// The only value that the symbol can have in the region; nullopt if it can have several.
  std::optional<int64_t> value(std::string_view symbol) const;
  /// The expression of other symbols that the symbol equals in the region; empty if it is free.
  std::string equal(std::string_view symbol) const;

 private:
  mutable ShapeEnv env_;
  std::vector<std::string> conditions_;
  bool empty_ = false;
};

/// Indices, in order, of conditions that imply all the others. The latest of several redundant conditions is left out.
std::vector<size_t> independent(const DeclaredSizes& declared, std::span<const std::string> conditions);
/// The guards of `made` that are not implied by others, with bounds merged. Unchanged if there are more than 64 guards.
std::vector<Guard> independent(const ShapeEnv& env, std::vector<Guard> made);

/// Equivalent conditions for people: first values of symbols (`batch = 1`), then the rest.
std::vector<std::string> shortest(const DeclaredSizes& declared, std::span<const std::string> conditions);

}  // namespace ersatz::tools

// Sizes of a program's symbols: those that are declared, or the part of them that satisfies conditions.
//
// A condition is the text of a truth value (`(batch>=2)`), so that it can be asked in any environment.
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

/// What is declared of the symbols before a run: their ranges, and the program's constraints and conditions.
struct DeclaredSizes {
  std::vector<SymbolInfo> symbols;
  std::vector<std::string> conditions;
};
DeclaredSizes declared_sizes(const Program& program);

std::string condition_text(const SymCondition& c);
std::string opposite(const std::string& condition);
/// For people: `batch >= 2`.
std::string readable(const std::string& condition);

class Region {
 public:
  /// Facts that contradict each other leave an empty region.
  Region(const DeclaredSizes& declared, std::span<const std::string> conditions);

  enum class Found : uint8_t { Point, Nothing, Unknown };
  /// Sizes of the region, near the `example` where that goes. Looks among small numbers, powers of two, the ends of
  /// ranges, and numbers that the conditions name. `Nothing` is a proof.
  Found find(const SizePoint& example, SizePoint& point) const;
  /// Does the condition hold for all sizes here, as far as is known?
  bool implies(const std::string& condition) const;
  /// The only value that a symbol has here.
  std::optional<int64_t> value(std::string_view symbol) const;
  /// What a symbol equals here, where that is an expression of other symbols: empty if it is free.
  std::string equal(std::string_view symbol) const;

 private:
  mutable ShapeEnv env_;
  std::vector<std::string> conditions_;
  bool empty_ = false;
};

/// Numbers, in order, of conditions that say what all of them say: the latest that follow from others are left out.
std::vector<size_t> independent(const DeclaredSizes& declared, std::span<const std::string> conditions);
/// Those of `made` that are independent, bounds joined. As they are where there are too many to compare (more than 64).
std::vector<Guard> independent(const ShapeEnv& env, std::vector<Guard> made);

/// The conditions that say what all of them say, for people: values of symbols (`batch = 1`), then what is left.
std::vector<std::string> shortest(const DeclaredSizes& declared, std::span<const std::string> conditions);

}  // namespace ersatz::tools

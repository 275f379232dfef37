// Runs of one program that together answer for all declared sizes.
//
// The first run decides each open condition by the example sizes. Where a guard leaves sizes out, the program runs
// again with an example among those, and so on. Cases do not overlap. A case may be a refusal: for its sizes the
// program raises.
#pragma once

#include <functional>
#include <memory>

#include "tools/cases/case_difference.h"
#include "tools/cases/region.h"

namespace ersatz::tools {

/// A size or a number that depends on data.
struct MadeSymbol {
  SymbolInfo info;  ///< with the range that the run's facts leave
  SymSite site;     ///< that made it
};

struct SizeCase {
  std::vector<std::string> conditions;  ///< what was asked of the sizes, then what the run's guards add
  std::vector<std::string> when;        ///< the same for people, as short as it gets; empty: all declared sizes
  SizePoint example;                    ///< the sizes that decided, where they are not the program's own
  FakeSummary summary;                  ///< `stopped`: the program refuses such sizes
  std::vector<Guard> guards, asserts, assumptions;
  std::vector<MadeSymbol> made;
  CaseDifference difference;      ///< against the first case
  std::shared_ptr<ShapeEnv> env;  ///< of the guards' expressions
};

/// Sizes that no run answered for.
struct UncoveredSizes {
  std::vector<std::string> when;
  std::string why;
};

/// A symbol that no case leaves free.
struct PinnedSymbol {
  std::string name;
  std::string became;          ///< `8`, or what it equals: `s0`
  SymSite site;                ///< that asked first
  std::string asked;           ///< its condition
  std::optional<Error> error;  ///< what the program says elsewhere, where that was run
};

struct SizeCover {
  DeclaredSizes declared;
  std::vector<SizeCase> cases;  ///< the first is the run at the example sizes
  std::vector<UncoveredSizes> uncovered;
  std::vector<PinnedSymbol> pinned;
};

/// `load` makes the program with its symbols anew: what a run learns stays in its environment. At most `most` runs.
/// Where the first one stops, there is no other.
SizeCover cover_sizes(const std::function<Program()>& load, const FakeRunOptions& how, int most);

}  // namespace ersatz::tools

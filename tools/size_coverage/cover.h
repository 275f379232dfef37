// Runs of one program that together cover all declared sizes.
//
// The first run decides each open condition by the example sizes. For sizes that a guard excludes, the program runs
// again with an example among them, and so on. Cases do not overlap. A case may be a refusal: the program raises for
// its sizes.
#pragma once

#include <functional>
#include <memory>

#include "tools/size_coverage/case_difference.h"
#include "tools/size_coverage/region.h"

namespace ersatz::tools {

/// A symbol that an operator of the run made: a size or number that depends on data.
struct MadeSymbol {
  SymbolInfo info;  ///< with the range that the run's facts allow
  SymSite site;     ///< the call that made it
};

struct SizeCase {
  std::vector<std::string> conditions;  ///< conditions that the run was started with, then those of its guards
  std::vector<std::string> when;  ///< an equivalent list for people, as short as possible; empty: all declared sizes
  SizePoint example;              ///< example sizes of the run, if they are not the program's own
  FakeSummary summary;            ///< with `stopped`, the program refuses these sizes
  std::vector<Guard> guards, asserts, assumptions;
  std::vector<MadeSymbol> made;
  CaseDifference difference;      ///< from the first case
  std::shared_ptr<ShapeEnv> env;  ///< the environment of the guards' expressions
};

/// Sizes that no run covers.
struct UncoveredSizes {
  std::vector<std::string> when;
  std::string why;
};

/// A symbol that has only one possible value or expression in every case.
struct PinnedSymbol {
  std::string name;
  std::string became;          ///< a number like `8`, or the symbol that it equals, like `s0`
  SymSite site;                ///< the first call that asked
  std::string asked;           ///< the condition that it asked
  std::optional<Error> error;  ///< the program's error for other values, if a run had them
};

struct SizeCover {
  DeclaredSizes declared;
  std::vector<SizeCase> cases;  ///< the first is the run at the example sizes
  std::vector<UncoveredSizes> uncovered;
  std::vector<PinnedSymbol> pinned;
};

/// `load` loads the program anew each time, because a run adds facts to its environment. There are at most `most` runs.
/// If the first run stops early, there is no other.
SizeCover cover_sizes(const std::function<Program()>& load, const FakeRunOptions& how, int most);

}  // namespace ersatz::tools

// Runs one program several times, so that the runs together cover all declared sizes.
//
// The first run decides each open condition by the example sizes. For sizes that its guards exclude, the program runs
// again with an example among the excluded sizes, and so on. Each run is a case, and cases do not overlap. A case may
// be a refusal: the program raises for its sizes.
#pragma once

#include <functional>
#include <memory>

#include "tools/size_coverage/case_difference.h"
#include "tools/size_coverage/region.h"

namespace ersatz::tools {

/// A symbol for a size or number that depends on data, which an operator of the run made.
struct MadeSymbol {
  SymbolInfo info;  ///< its range is the one that the facts of the run allow
  SymSite site;     ///< the call that made the symbol
};

struct SizeCase {
  std::vector<std::string> conditions;  ///< the conditions that the run was started with, then those of its guards
  /// Equivalent conditions for the report, as short as possible; empty: the case covers all declared sizes.
  std::vector<std::string> when;
  SizePoint example;    ///< example sizes of the run, if they differ from the program's own
  FakeSummary summary;  ///< results of the run; if `stopped` is set, the program refuses these sizes
  std::vector<Guard> guards, asserts, assumptions;
  std::vector<MadeSymbol> made;
  CaseDifference difference;      ///< how the case differs from the first case
  std::shared_ptr<ShapeEnv> env;  ///< the environment that the guards' expressions belong to
};

/// Declared sizes that no case covers, and the reason.
struct UncoveredSizes {
  std::vector<std::string> when;
  std::string why;
};

/// A declared symbol that has only one possible value or expression in every case.
struct PinnedSymbol {
  std::string name;
  std::string became;          ///< its number, like `8`, or the symbol that it equals, like `s0`
  SymSite site;                ///< the first call that needed the condition
  std::string asked;           ///< the condition that the call needed
  std::optional<Error> error;  ///< the error that the program raises for other values, if a run had other values
};

struct SizeCover {
  DeclaredSizes declared;
  std::vector<SizeCase> cases;  ///< the first case is the run at the example sizes
  std::vector<UncoveredSizes> uncovered;
  std::vector<PinnedSymbol> pinned;
};

/// Runs the program at most `most` times. `load` loads it anew each time, because a run adds facts to its environment.
/// If the first run stops early, there is no other run.
SizeCover cover_sizes(const std::function<Program()>& load, const FakeRunOptions& how, int most);

}  // namespace ersatz::tools

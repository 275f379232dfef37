// A fake mode's results for one call, with their source, as a value for the caller.
#pragma once

#include "fake/mode/coverage.h"
#include "runtime/op/rule.h"

namespace ersatz {

struct Answer {
  /// The rule's result, if the rule was run. Metadata of outputs have moved into `results`; the rest is kept.
  RuleResult rule;
  bool ruled = false;         ///< the rule was run
  bool over_symbols = false;  ///< ... and asked for symbols for quantities that depend on data
  Values results;             ///< one per schema return
  Source source = Source::None;
  /// The kernel of the op, or of a part of a composite, ran on synthetic inputs. True too if the call was then refused.
  bool fell_back = false;
  int64_t layouts_untold = 0;  ///< results whose strides only a library determines, noted by a composite's body

  /// Returns the number of results whose strides only a library determines.
  int64_t unknown_layouts() const {
    int64_t unknown = layouts_untold;
    for (const OutputSpec& o : rule.outputs) unknown += o.unknown_layout;
    return unknown;
  }
};

/// Counts the source of a call's results, and results whose strides are unknown. If the call was refused,
/// `answer.source` is None.
inline void count_answer(Coverage& coverage, const OpEntry& op, const Answer& answer) {
  coverage.answered(op, answer.source);
  if (!op.tags.has(Tag::LayoutByLibrary) || answer.source == Source::Cache || answer.source == Source::None) return;
  if (const int64_t unknown = answer.unknown_layouts()) {
    coverage.unchecked(op, Check::Strides, NotChecked::UnknownLayout, unknown);
  }
}

}  // namespace ersatz

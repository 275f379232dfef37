// A fake mode's results for one call, with their source, as a value for the caller.
#pragma once

#include "fake/mode/coverage.h"
#include "runtime/op/rule.h"

namespace ersatz {

struct Answer {
  /// The rule's result, if the rule was run. The metadata of its outputs may have been moved into `results`.
  RuleResult rule;
  bool ruled = false;         ///< the rule was run
  bool over_symbols = false;  ///< the rule asked for symbols for sizes or numbers that depend on data
  Values results;             ///< one per schema return
  Source source = Source::None;
  /// A kernel ran on synthetic inputs: of the op, or of an op in its body. Set also if the call then raised.
  bool fell_back = false;
  int64_t unknown_body_layouts = 0;  ///< results of a composite's body whose strides only a library determines

  /// Returns the number of results whose strides only a library determines.
  int64_t unknown_layouts() const {
    int64_t unknown = unknown_body_layouts;
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

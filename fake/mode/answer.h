// A fake mode's results for one call, and the source that they come from.
#pragma once

#include "fake/mode/coverage.h"
#include "runtime/op/rule.h"

namespace ersatz {

struct Answer {
  /// The rule's result, if the rule was run. Once `results` are made, the rule's metadata may have been moved to them.
  RuleResult rule;
  bool ruled = false;         ///< the rule was run
  bool over_symbols = false;  ///< the rule used symbols for sizes or numbers that depend on data
  Values results;             ///< one per schema return
  Source source = Source::None;
  /// A kernel ran on synthetic inputs: the op's own kernel, or that of an op in a composite op's body. It is set even
  /// if the call then raised an error.
  bool fell_back = false;
  int64_t unknown_body_layouts = 0;  ///< number of results of a composite op's body whose strides only a library
                                     ///< determines

  /// Returns the number of results whose strides only a library determines.
  int64_t unknown_layouts() const {
    int64_t unknown = unknown_body_layouts;
    for (const OutputSpec& o : rule.outputs) unknown += o.unknown_layout;
    return unknown;
  }
};

/// Adds the source of a call's results, and its results with unknown strides, to `coverage`. If the call was refused,
/// `answer.source` is None.
inline void count_answer(Coverage& coverage, const OpEntry& op, const Answer& answer) {
  coverage.answered(op, answer.source);
  if (!op.tags.has(Tag::LayoutByLibrary) || answer.source == Source::Cache || answer.source == Source::None) return;
  if (const int64_t unknown = answer.unknown_layouts()) {
    coverage.unchecked(op, Check::Strides, NotChecked::UnknownLayout, unknown);
  }
}

}  // namespace ersatz

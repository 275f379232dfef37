// A fake mode's answer to one call, and how it came to that: a value for the caller to read.
#pragma once

#include "fake/mode/coverage.h"
#include "runtime/op/rule.h"

namespace ersatz {

struct Answer {
  /// What the op's rule said, if it was asked. Metadata of outputs have moved into the results; the rest is kept.
  RuleResult rule;
  bool ruled = false;         ///< the rule was asked
  bool over_symbols = false;  ///< ... and asked for symbols for what depends on data
  Values results;             ///< one per schema return
  Source source = Source::None;
  /// The kernel of the op, or of a part of a composite, ran on made-up inputs. Also where the call was refused then.
  bool fell_back = false;
  int64_t layouts_untold = 0;  ///< results of a composite of which its body says that only a library knows the strides

  /// Results with strides that only a library can tell.
  int64_t unknown_layouts() const {
    int64_t unknown = layouts_untold;
    for (const OutputSpec& o : rule.outputs) unknown += o.unknown_layout;
    return unknown;
  }
};

/// Counts who answered a call of the op, and results whose strides are unknown. `answer.source` of a call that
/// was refused is None.
inline void count_answer(Coverage& coverage, const OpEntry& op, const Answer& answer) {
  coverage.answered(op, answer.source);
  if (!op.tags.has(Tag::LayoutByLibrary) || answer.source == Source::Cache || answer.source == Source::None) return;
  if (const int64_t unknown = answer.unknown_layouts()) {
    coverage.unchecked(op, Check::Strides, NotChecked::UnknownLayout, unknown);
  }
}

}  // namespace ersatz

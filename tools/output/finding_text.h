// A finding as reports print it: where it is and in which field, then its two sides, one below the other.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// One side of a finding: `predicted` or `eager`, and what it says.
struct FindingSide {
  std::string who, says;
};

struct FindingSides {
  std::string more;         ///< what belongs behind the field: `2 of 8 elements differ by up to 1, the first at [3]`
  FindingSide left, right;  ///< of a finding with one side `right` is empty
};

FindingSides sides_of(const Finding& f);

/// Whole lines, where the first one is Top or Below, and those of the sides are deeper:
///   relu_3 = aten.relu.default, result 0: stride
///     predicted: f32[2,3]{3,1}+0@cpu
///     eager:     f32[2,3]{1,2}+0@cpu
Document finding_lines(std::string_view head, const FindingSides& sides, Document::Kind kind = Document::Kind::Top);

}  // namespace ersatz::tools

// A finding as reports print it: its place and field, then its two sides on lines below.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// One side of a finding: `predicted` or `eager`, and its text.
struct FindingSide {
  std::string who, says;
};

struct FindingSides {
  std::string more;         ///< text after the field: `2 of 8 elements differ by up to 1, the first at [3]`
  FindingSide left, right;  ///< `right` is empty for a finding with one side
};

FindingSides sides_of(const Finding& f);

/// Whole lines: the first one is Top or Below, and the two sides are one level deeper:
///   relu_3 = aten.relu.default, result 0: stride
///     predicted: f32[2,3]{3,1}+0@cpu
///     eager:     f32[2,3]{1,2}+0@cpu
Document finding_lines(std::string_view head, const FindingSides& sides, Document::Kind kind = Document::Kind::Top);

}  // namespace ersatz::tools

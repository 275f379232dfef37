// The text of a finding in reports: its place and field and, on lines below, the predicted and the observed value.
#pragma once

#include <string>

#include "fake/crosscheck/finding.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// One of the two compared values: its source, for example `predicted` or `eager`, and its text.
struct FindingSide {
  std::string who, says;
};

struct FindingSides {
  std::string more;         ///< text that follows the field: `2 of 8 elements differ by up to 1, the first at [3]`
  FindingSide left, right;  ///< `right` is empty for a finding that compares nothing
};

FindingSides sides_of(const Finding& f);

/// Returns the lines of a finding. The first line is Top or Below, and the two values are one level deeper:
///   relu_3 = aten.relu.default, result 0: stride
///     predicted: f32[2,3]{3,1}+0@cpu
///     eager:     f32[2,3]{1,2}+0@cpu
Document finding_lines(std::string_view head, const FindingSides& sides, Document::Kind kind = Document::Kind::Top);

}  // namespace ersatz::tools

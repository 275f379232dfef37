// A crosscheck's report as an HTML page without scripts or network access, so that it can be opened from a file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// Facts that a command adds to a finding.
struct FindingNotes {
  std::string to_change, call;   ///< the source line to change; the smallest call that shows the finding
  std::vector<std::string> why;  ///< explanations
  std::string calls;             ///< for example `in 4 of 57 calls, the first: sample 0, permuted`
};

struct HtmlReport {
  std::string input, device, status;
  const Report& report;
  std::span<const DownstreamDifference> inherited;
  std::span<const GraphNeighbourhood> neighbourhoods;
  std::string text;                       ///< the whole report as text, in which findings are not cut
  std::string closing;                    ///< the command's last line; empty: the closing line of `report`
  std::span<const FindingNotes> notes{};  ///< for each finding, its notes; empty: there are none
};

/// Returns the page. It shows the first divergence with its cause, the graph around it, both memory layouts and its
/// repro. Below, it lists all findings by cause, the coverage, and the checks that were not made. Text of the program
/// is escaped.
std::string html_page(const HtmlReport& page);

}  // namespace ersatz::tools

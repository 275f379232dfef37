// A crosscheck's report as one page: it needs no network and no script, and works from a file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// What a command knows of a finding beside the finding itself.
struct FindingNotes {
  std::string to_change, call;   ///< the line to change; the smallest call that shows it
  std::vector<std::string> why;  ///< in words
  std::string calls;             ///< `in 4 of 57 calls, the first: sample 0, permuted`
};

struct HtmlReport {
  std::string input, device, status;
  const Report& report;
  std::span<const Inherited> inherited;
  std::span<const Surrounding> surroundings;
  std::string text;                       ///< the report as text, without the findings' room cut
  std::string closing;                    ///< the command's last line; empty: a crosscheck's, of the report
  std::span<const FindingNotes> notes{};  ///< by finding; empty: there are none
};

/// First divergence with its cause, the graph around it, both memory layouts and the program that shows it; then all
/// findings by cause, coverage, what was not checked. All text of the program is escaped.
std::string html_page(const HtmlReport& page);

}  // namespace ersatz::tools

// A crosscheck's report as one page: it needs no network and no script, and works from a file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

struct HtmlReport {
  std::string input, device, status;
  const Report& report;
  std::span<const Inherited> inherited;
  std::span<const Surrounding> surroundings;
  std::string text;  ///< the report as text, without the findings' room cut
};

/// First divergence with its cause, the graph around it, both memory layouts and the program that shows it; then all
/// findings by cause, coverage, what was not checked. All text of the program is escaped.
std::string html_page(const HtmlReport& page);

}  // namespace ersatz::tools

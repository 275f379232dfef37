// Reports as HTML pages that need neither scripts nor the network, and fit a telephone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/output/document.h"

namespace ersatz::tools {

/// The HTML page around `body`, which is markup; `title` is plain text.
std::string whole_page(std::string_view title, std::string_view body);

/// A table whose cells are plain text. On a narrow page each cell is a line that begins with its column's name.
std::string page_table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows);

/// A command's report as an HTML page: its own page, or else its lines. For lines, the closing line is the heading of
/// the page. A Top line with lines below it is the heading of a section.
std::string document_page(const Document& document);

}  // namespace ersatz::tools

// Reports as HTML pages without scripts and without network access. They are readable on a telephone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/output/document.h"

namespace ersatz::tools {

/// Returns the HTML page around `body`, which is markup. `title` is plain text.
std::string whole_page(std::string_view title, std::string_view body);

/// Returns a table whose cells are plain text. On a narrow screen each cell is a line that begins with its column's
/// name.
std::string page_table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows);

/// Returns a command's report as an HTML page: the document's `page` if it has one, else its lines. The closing line is
/// then the page's heading, and a Top line with lines below it is the heading of a section.
std::string document_page(const Document& document);

}  // namespace ersatz::tools

// Reports as pages that need no network and no script, and that are read on a telephone too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/output/document.h"

namespace ersatz::tools {

/// The page around `body`, which is markup; `title` is text.
std::string whole_page(std::string_view title, std::string_view body);

/// A table: rows of cells, which are text. On a narrow page each cell is a line that begins with its column's name.
std::string page_table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows);

/// A command's report as a page: its own one, or else its lines. There the closing line heads the page, and a Top line
/// with others below it heads a section.
std::string document_page(const Document& document);

}  // namespace ersatz::tools

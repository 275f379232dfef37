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

/// A command's report as a page: the closing line heads it, a line with indented ones below it begins a section,
/// `  name: words` are its terms. `status` is the envelope's.
std::string document_page(const Document& document, std::string_view command, std::string_view status);

}  // namespace ersatz::tools

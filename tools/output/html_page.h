// Reports as pages that need no network and no script, and that are read on a telephone too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ersatz::tools {

/// The page around `body`, which is markup; `title` is text.
std::string whole_page(std::string_view title, std::string_view body);

/// A table: rows of cells, which are text. On a narrow page each cell is a line that begins with its column's name.
std::string page_table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows);

/// A command's text as a page, by the form that reports have: the closing line heads it, a line that heads what is
/// indented below it begins a section, `  name: words` below it are its terms. `status` is the envelope's.
std::string text_page(std::string_view text, std::string_view command, std::string_view status);

}  // namespace ersatz::tools

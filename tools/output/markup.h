// Escapes text from files, for HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// Escapes text for element content or quoted attributes. Markup, quotes, line ends and tabs become references.
/// Characters that XML 1.0 forbids become `?`.
std::string escape_markup(std::string_view text);

}  // namespace ersatz::tools

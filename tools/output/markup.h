// Text of a loaded file inside of HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// Text between tags or in quotes: markup, quotes, line ends and tabs as references. What XML 1.0 cannot hold becomes
/// `?`.
std::string escape_markup(std::string_view text);

}  // namespace ersatz::tools

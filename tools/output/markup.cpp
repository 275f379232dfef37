#include "tools/output/markup.h"

namespace ersatz::tools {

std::string escape_markup(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (const char c = text[i]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        const std::string_view rest = text.substr(i, 3);
        if (rest == "\xEF\xBF\xBE" || rest == "\xEF\xBF\xBF") {  // U+FFFE and U+FFFF are not allowed in XML
          out += '?';
          i += 2;
        } else {
          out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
        }
    }
  }
  return out;
}

}  // namespace ersatz::tools

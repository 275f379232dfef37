#include "tracer/pasted/code_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tracer/pasted/words.h"

namespace ersatz::pasted {

std::string CodeMemory::annotation() const {
  if (dtype.empty()) return {};
  return fmt::format("{}[{}][{}]{}", dtype, sizes, strides, device);
}

std::string dtype_word(std::string_view dtype) {
  return std::string(dtype.starts_with("torch.") ? dtype.substr(6) : dtype);
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

std::string sizes_text(const std::vector<std::string>& items) {
  std::string text = joined(items);
  for (const std::string_view function : {"max(", "min("}) {
    for (size_t at = 0; (at = text.find(function, at)) != text.npos; ++at) {
      const bool whole = at == 0 || !in_name(text[at - 1]);
      if (whole) text[at] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[at])));
    }
  }
  return text;
}

bool is_symbol(std::string_view name) {
  const size_t letters = std::min(name.find_first_of("0123456789"), name.size());
  const std::string_view kind = name.substr(0, letters);
  return letters < name.size() && (kind == "s" || kind == "u" || kind == "ks" || kind == "zf" || kind == "zuf") &&
         name.find_first_not_of("0123456789", letters) == name.npos;
}

}  // namespace ersatz::pasted

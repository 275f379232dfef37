// Parser of the outermost level of PTX: variables and the heads of functions.
#include <cstdlib>
#include <cstring>

#include "tests/ptx/declaration.h"
#include "tests/ptx/parser.h"

namespace ersatz::ptx {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t k = 0; k <= text.size(); ++k) {
    const char c = k < text.size() ? text[k] : at;
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (c != at || (depth != 0 && k < text.size())) continue;
    const std::string_view part = trimmed(text.substr(begin, k - begin));
    if (!part.empty()) parts.push_back(part);
    begin = k + 1;
  }
  return parts;
}

uint64_t number(std::string_view literal) {
  const std::string text(literal);
  const bool is_float = text.size() > 2 && text[0] == '0' && std::strchr("fFdD", text[1]) != nullptr;
  if (is_float) return std::strtoull(text.c_str() + 2, nullptr, 16);
  if (text[0] == '-') return static_cast<uint64_t>(std::strtoll(text.c_str(), nullptr, 0));
  return std::strtoull(text.c_str(), nullptr, 0);
}

int bytes_of(std::string_view type) {
  if (type == "pred") return 1;
  if (type == "bf16") return 2;
  if (type.size() < 2) return 0;
  return std::atoi(std::string(type.substr(1)).c_str()) / 8;
}

Declaration parse_declaration(std::string_view text) {
  Declaration d;
  const size_t equals = text.find('=');
  if (equals != text.npos) d.initial = trimmed(text.substr(equals + 1));
  std::string_view head = text.substr(0, equals);
  if (const size_t bracket = head.find('['); bracket != head.npos) {
    const std::string_view count = trimmed(head.substr(bracket + 1, head.find(']', bracket) - bracket - 1));
    d.count = count.empty() ? -1 : static_cast<int64_t>(number(count));
    head = head.substr(0, bracket);
  }
  bool is_alignment = false;
  size_t at = 0;
  while (at < head.size()) {
    const size_t begin = head.find_first_not_of(" \t\r\n", at);
    if (begin == head.npos) break;
    at = std::min(head.find_first_of(" \t\r\n", begin), head.size());
    const std::string_view word = head.substr(begin, at - begin);
    if (is_alignment)
      d.align = static_cast<int>(number(word));
    else if (word[0] != '.')
      d.name = word;
    else if (word.size() > 2 && bytes_of(word.substr(1)) > 0)
      d.type = word.substr(1);
    is_alignment = word == ".align";
  }
  if (d.align == 0) d.align = std::max(bytes_of(d.type), 1);
  return d;
}

namespace {

class ModuleParser {
 public:
  explicit ModuleParser(Module& m) : m_(m), text_(m.text) {}

  void parse() {
    while (skip_space()) {
      if (is_line_directive())
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        parse_item();
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what, std::string_view text) const {
    throw ParseError(m_.name + ": " + what + ": " + std::string(text.substr(0, 200)));
  }
  bool skip_space() {
    at_ = text_.find_first_not_of(" \t\r\n", at_);
    return at_ != text_.npos;
  }
  bool is_line_directive() const {
    for (std::string_view word : {".version", ".target", ".address_size", ".file"}) {
      if (text_.substr(at_).starts_with(word)) return true;
    }
    return false;
  }

  /// Parses a declaration that ends with `;`, or a function with a body in braces.
  void parse_item() {
    const size_t begin = at_;
    bool has_values = false;
    while (at_ < text_.size() && text_[at_] != ';' && (text_[at_] != '{' || has_values))
      has_values |= text_[at_++] == '=';
    if (at_ == text_.size()) refuse("the text ends within a declaration", text_.substr(begin));
    const std::string_view head = trimmed(text_.substr(begin, at_ - begin));
    if (text_[at_] == ';') {
      ++at_;
      return parse_declared(head);
    }
    const size_t body = ++at_;
    for (int depth = 1; depth > 0; ++at_) {
      if (at_ == text_.size()) refuse("the text ends within a function", head);
      depth += text_[at_] == '{' ? 1 : text_[at_] == '}' ? -1 : 0;
    }
    parse_function(head, text_.substr(body, at_ - 1 - body));
  }

  void parse_declared(std::string_view head) {
    if (head.find(".func") != head.npos || head.starts_with(".pragma")) return;  // a forward declaration or a pragma
    const Declaration d = parse_declaration(head);
    if (d.name.empty() || d.type.empty()) refuse("this declaration is not known", head);
    if (head.find(".shared") != head.npos) {
      m_.shared[std::string(d.name)] = d.count < 0 ? -1 : static_cast<int32_t>(d.bytes());
    } else if (head.find(".global") != head.npos || head.find(".const") != head.npos) {
      add_variable(d);
    } else {
      refuse("this declaration is not known", head);
    }
  }
  void add_variable(const Declaration& d) {
    if (d.count < 0) refuse("the size of a variable is missing", d.name);
    Variable v;
    v.bytes = static_cast<size_t>(d.bytes());
    v.memory = std::make_unique<char[]>(v.bytes + 128);
    v.data = v.memory.get() + (128 - reinterpret_cast<uintptr_t>(v.memory.get()) % 128);
    std::string_view values = d.initial;
    if (!values.empty() && values[0] == '{') values = values.substr(1, values.rfind('}') - 1);
    char* to = v.data;
    for (std::string_view value : split(values)) {
      if (to == v.data + v.bytes) refuse("a variable has too many values", d.name);
      if (value[0] != '-' && !std::isdigit(static_cast<unsigned char>(value[0])))
        refuse("this value is not known", value);
      const uint64_t bits = number(value);
      std::memcpy(to, &bits, static_cast<size_t>(bytes_of(d.type)));
      to += bytes_of(d.type);
    }
    m_.variables[std::string(d.name)] = std::move(v);
  }

  /// Parses `.visible .entry name(parameters) .maxntid 256` or `.func (result) name(parameters)`.
  void parse_function(std::string_view head, std::string_view body) {
    auto f = std::make_unique<Function>();
    f->module = &m_;
    f->body = body;
    f->is_kernel = head.find(".entry") != head.npos;
    const std::string_view keyword = f->is_kernel ? ".entry" : ".func";
    const size_t at = head.find(keyword);
    if (at == head.npos) refuse("neither a kernel nor a function", head);
    std::string_view signature = trimmed(head.substr(at + keyword.size()));
    if (!signature.empty() && signature[0] == '(') {
      const size_t close = signature.find(')');
      f->result = add_parameter(*f, signature.substr(1, close - 1));
      f->parameter_bytes = static_cast<int32_t>(aligned(f->parameter_bytes, 16));
      signature = trimmed(signature.substr(close + 1));
    }
    const size_t open = signature.find('('), close = signature.find(')', open);
    f->name = std::string(trimmed(signature.substr(0, open)));
    if (f->name.empty()) refuse("a function without a name", head);
    if (open != signature.npos) {
      if (close == signature.npos) refuse("a bracket is not closed", head);
      for (std::string_view p : split(signature.substr(open + 1, close - open - 1)))
        f->parameters.push_back(add_parameter(*f, p));
      constexpr std::string_view kMostThreads = ".maxntid";
      if (const size_t most = signature.find(kMostThreads, close); most != signature.npos)
        f->most_threads = std::atoi(std::string(signature.substr(most + kMostThreads.size())).c_str());
    }
    m_.functions[f->name] = std::move(f);
  }
  Area add_parameter(Function& f, std::string_view text) {
    const Declaration d = parse_declaration(text);
    if (d.type.empty() || d.count < 0) refuse("this parameter is not known", text);
    f.parameter_bytes = static_cast<int32_t>(aligned(f.parameter_bytes, d.align));
    const Area area{f.parameter_bytes, static_cast<int32_t>(d.bytes())};
    f.parameter_bytes += area.bytes;
    f.offsets[std::string(d.name)] = area.offset;
    return area;
  }

  Module& m_;
  std::string_view text_;
  size_t at_ = 0;
};

/// Replaces comments by blanks, so that lines keep their numbers.
void blank_comments(std::string& text) {
  for (size_t k = 0; k + 1 < text.size(); ++k) {
    if (text[k] != '/') continue;
    size_t end = k;
    if (text[k + 1] == '/')
      end = std::min(text.find('\n', k), text.size());
    else if (text[k + 1] == '*')
      end = std::min(text.find("*/", k + 2) + 2, text.size());
    for (; k < end; ++k) {
      if (text[k] != '\n') text[k] = ' ';
    }
  }
}

}  // namespace

std::unique_ptr<Module> parse_module(std::string name, std::string text) {
  auto m = std::make_unique<Module>();
  m->name = std::move(name);
  m->text = std::move(text);
  blank_comments(m->text);
  ModuleParser(*m).parse();
  return m;
}

}  // namespace ersatz::ptx

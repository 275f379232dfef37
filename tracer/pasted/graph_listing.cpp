#include "tracer/pasted/graph_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

constexpr int kMostBrackets = 64;

/// Returns the items of `a, (b, c), d`. A listing does not quote strings, so a comma without a blank after it is taken
/// to be inside a string.
std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> items;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (c != ',' || depth != 0 || (i + 1 < text.size() && text[i + 1] != ' ')) continue;
    items.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (const std::string_view last = trimmed(text.substr(std::min(begin, text.size()))); !last.empty())
    items.push_back(last);
  return items;
}

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

/// Returns `device(type='cuda', index=0)` for `cuda:0`; empty if `text` is no device.
std::string device_call(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view type = text.substr(0, colon);
  for (const std::string_view known : {"cpu", "cuda", "meta", "xpu", "mps", "hpu"}) {
    if (type != known) continue;
    if (colon == text.npos) return fmt::format("device(type='{}')", type);
    if (whole_number(text.substr(colon + 1)))
      return fmt::format("device(type='{}', index={})", type, text.substr(colon + 1));
  }
  return {};
}

/// Returns whether a readable FX graph spells this argument in the same way. It does for a number, None, True, a dtype
/// and a layout.
bool is_plain(std::string_view text) {
  for (const std::string_view word : {"None", "True", "False", "Ellipsis", "inf", "-inf", "nan"}) {
    if (text == word) return true;
  }
  return text.starts_with("torch.") || real_number(text) || whole_number(text);
}

std::string listed_argument(std::string_view text, int depth);

std::string listed_items(std::string_view inside, int depth) {
  std::string out;
  for (const std::string_view item : items_of(inside))
    out += (out.empty() ? "" : ", ") + listed_argument(item, depth + 1);
  return out;
}

std::string dictionary(std::string_view inside, int depth) {
  std::string out;
  for (const std::string_view item : items_of(inside)) {
    const size_t colon = item.find(": ");
    if (colon == item.npos) return {};
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", quoted(item.substr(0, colon)),
                       listed_argument(item.substr(colon + 2), depth + 1));
  }
  return out;
}

std::string listed_argument(std::string_view text, int depth) {
  if (depth > kMostBrackets) return quoted(text);
  if (text.starts_with('%')) {
    const std::string_view name = text.substr(1);
    return std::all_of(name.begin(), name.end(), in_name) ? std::string(name) : quoted(text);
  }
  if (text.size() > 1) {
    const std::string_view inside = text.substr(1, text.size() - 2);
    if (text.front() == '(' && text.back() == ')') {
      const std::string items = listed_items(inside, depth);
      return items_of(inside).size() == 1 ? "(" + items + ",)" : "(" + items + ")";
    }
    if (text.front() == '[' && text.back() == ']') return "[" + listed_items(inside, depth) + "]";
    if (text.front() == '{' && text.back() == '}') return "{" + dictionary(inside, depth) + "}";
  }
  if (text.starts_with("slice(") && text.back() == ')')
    return "slice(" + listed_items(text.substr(6, text.size() - 7), depth) + ")";
  if (is_plain(text)) return std::string(text);
  const std::string device = device_call(text);
  return device.empty() ? quoted(text) : device;
}

/// Returns a module attribute, for example `layers.0.weight`, as the Python expression that reads it from `self`.
std::string member(std::string_view target) {
  std::string out = "self";
  while (!target.empty()) {
    const size_t end = std::min(target.find('.'), target.size());
    const std::string_view part = target.substr(0, end);
    out = !part.empty() && is_digit(part[0]) ? fmt::format("getattr({}, \"{}\")", out, part)
                                             : fmt::format("{}.{}", out, part);
    target.remove_prefix(std::min(end + 1, target.size()));
  }
  return out;
}

/// Returns the text inside the brackets that follow `name`; nullopt if there are none.
std::optional<std::string_view> bracketed(std::string_view text, std::string_view name) {
  const size_t at = text.find(name);
  if (at == text.npos || at + name.size() >= text.size()) return std::nullopt;
  const std::string_view rest = text.substr(at + name.size());
  int depth = 0;
  for (size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth == 0) return rest.substr(1, i > 0 ? i - 1 : 0);
  }
  return std::nullopt;
}

struct ListedCall {
  std::vector<std::string> args;
  std::string keywords;  ///< keyword arguments as text: `, dim = 1`

  std::string from(size_t first) const {
    std::string out;
    for (size_t i = first; i < args.size(); ++i) out += (out.empty() ? "" : ", ") + args[i];
    if (out.empty() && !keywords.empty()) return keywords.substr(2);
    return out + keywords;
  }
};

std::optional<ListedCall> call_of(std::string_view text) {
  const auto args = bracketed(text, "args = ");
  const auto keywords = bracketed(text, "kwargs = ");
  if (!args || !keywords) return std::nullopt;
  ListedCall call;
  for (const std::string_view item : items_of(*args)) call.args.push_back(listed_argument(item, 0));
  for (const std::string_view item : items_of(*keywords)) {
    const size_t colon = item.find(": ");
    if (colon == item.npos) return std::nullopt;
    call.keywords += fmt::format(", {} = {}", item.substr(0, colon), listed_argument(item.substr(colon + 2), 0));
  }
  return call;
}

/// Returns the call in the spelling of a readable FX graph; empty if it cannot be written so.
std::string called(std::string_view kind, std::string_view target, const ListedCall& call) {
  if (kind == "call_module") return fmt::format("{}({})", member(target), call.from(0));
  if (kind == "call_method") {
    return call.args.empty() ? std::string() : fmt::format("{}.{}({})", call.args[0], target, call.from(1));
  }
  const bool two = call.args.size() == 2;
  if (two && (target == "operator.getitem" || target == "_operator.getitem"))
    return fmt::format("{}[{}]", call.args[0], call.args[1]);
  if (two && target == "builtins.getattr" && call.args[1].size() > 2)
    return fmt::format("{}.{}", call.args[0], call.args[1].substr(1, call.args[1].size() - 2));
  return fmt::format("{}({})", target, call.from(0));
}

}  // namespace

std::optional<ListedLine> listed_line(std::string_view line) {
  std::string_view text = trimmed(line);
  if (text.starts_with('#')) text = trimmed(text.substr(1));
  ListedLine out;
  if (text.starts_with("graph(") && text.ends_with("):")) {
    out.kind = ListedLine::Kind::Head;
    return out;
  }
  if (text.starts_with("return ")) {
    out.kind = ListedLine::Kind::Return;
    out.statement = text;
    std::erase(out.statement, '%');
    return out;
  }
  if (!text.starts_with('%')) return std::nullopt;
  const size_t colon = text.find(" : "), target = text.find("[target=");
  if (colon == text.npos || target == text.npos || target < colon) return std::nullopt;
  const std::string_view name = text.substr(1, colon - 1);
  if (name.empty() || !std::all_of(name.begin(), name.end(), in_name)) return std::nullopt;
  size_t begin = target;
  while (begin > colon && in_name(text[begin - 1])) --begin;
  const std::string_view kind = text.substr(begin, target - begin), before = text.substr(colon + 3, begin - colon - 3);
  const size_t close = text.find(']', target);
  if (close == text.npos || before.find('=') == before.npos) return std::nullopt;
  out.name = name;
  if (const size_t quote = before.find('"'); quote != before.npos)
    out.annotation = before.substr(quote + 1, before.find('"', quote + 1) - quote - 1);
  // The listing has `%s77 : torch.SymInt`.
  if (before.starts_with("torch.SymInt ") && name.size() > 1 && is_digit(name[1]))
    out.annotation = fmt::format("Sym({})", name);
  const std::string_view of = text.substr(target + 8, close - target - 8);
  if (kind == "placeholder" || kind == "PlaceHolder") {
    out.kind = ListedLine::Kind::Input;
    return out;
  }
  std::string value;
  if (kind == "get_attr") {
    value = member(of);
  } else if (kind.starts_with("call_")) {
    const std::optional<ListedCall> call = call_of(text.substr(close + 1));
    if (!call) return std::nullopt;
    value = called(kind, of, *call);
  }
  if (value.empty()) return std::nullopt;
  out.statement = out.annotation.empty() ? fmt::format("{} = {}", name, value)
                                         : fmt::format("{}: \"{}\" = {}", name, out.annotation, value);
  return out;
}

}  // namespace ersatz::pasted

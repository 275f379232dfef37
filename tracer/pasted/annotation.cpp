#include "tracer/pasted/annotation.h"

#include <algorithm>

#include "runtime/base/error.h"
#include "runtime/tensor/layout.h"
#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

constexpr size_t kMaxRank = 64;

/// Returns the items of `[a, f(b, c)]`. The list begins at `at`; afterwards `at` is the index after it.
std::vector<std::string> bracketed(std::string_view text, size_t& at) {
  std::vector<std::string> items;
  int depth = 0;
  size_t begin = ++at;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' && --depth < 0) fail_argument("'{}': ')' where ']' is expected", text);
    if (c != ',' && c != ']') continue;
    if (c == ']' && depth > 0) {
      --depth;
      continue;
    }
    if (c == ',' && depth > 0) continue;
    const std::string_view item = trimmed(text.substr(begin, at - begin));
    if (!item.empty()) items.emplace_back(item);
    if (item.empty() && c == ',') fail_argument("'{}': a size is missing", text);
    begin = at + 1;
    if (items.size() > kMaxRank) fail_argument("'{}': more than {} dimensions", text, kMaxRank);
    if (c == ']') {
      ++at;
      return items;
    }
  }
  fail_argument("'{}': ']' is missing", text);
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

SymInt size_of(const std::string& text, ShapeEnv& env) {
  if (const auto n = whole_number(text)) {
    if (*n < 0) fail_argument("a size of {} is negative", *n);
    return *n;
  }
  return env.parse(text);
}

}  // namespace

Annotation parse_annotation(std::string_view written) {
  Annotation a;
  const std::string_view text = trimmed(written);
  if (text.empty()) return a;
  a.kind = Annotation::Kind::Other;
  if (text.starts_with("Sym(")) {
    if (text.back() != ')') fail_argument("'{}': ')' is missing", text);
    a.kind = Annotation::Kind::Number;
    a.expression = std::string(trimmed(text.substr(4, text.size() - 5)));
    return a;
  }
  const size_t open = text.find('[');
  if (open == text.npos || !is_word(text.substr(0, open)) || !std::islower(static_cast<unsigned char>(text[0])))
    return a;
  const std::string_view name = text.substr(0, open);
  if (name == "list" || name == "tuple" || name == "dict") return a;
  a.dtype = std::string(name);
  size_t at = open;
  a.sizes = bracketed(text, at);
  if (at < text.size() && text[at] == '[') a.strides = bracketed(text, at);
  a.device = std::string(trimmed(text.substr(at)));
  if (a.strides && a.strides->size() != a.sizes.size())
    fail_argument("'{}': {} sizes but {} strides", text, a.sizes.size(), a.strides->size());
  if (!a.device.empty() && a.device.find_first_of(" []()\"',") != a.device.npos)
    fail_argument("'{}': '{}' is no device", text, a.device);
  a.kind = Annotation::Kind::Tensor;
  return a;
}

std::optional<DType> dtype_called(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  if (name == "b8") return DType::Bool;
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"float", "float32"}, {"double", "float64"}, {"half", "float16"},     {"short", "int16"},
      {"int", "int32"},     {"long", "int64"},     {"cfloat", "complex64"}, {"cdouble", "complex128"}};
  for (const auto& [other, name_of_it] : kOthers) {
    if (name == other) name = name_of_it;
  }
  return dtype_named(name);
}

TensorMeta meta_of(const Annotation& a, ShapeEnv& env) {
  TensorMeta m;
  const auto dtype = dtype_called(a.dtype);
  if (!dtype) fail_argument("dtype {} is not known here", a.dtype);
  m.dtype = *dtype;
  if (!a.device.empty()) {
    const auto device = parse_device(a.device);
    if (!device) fail_argument("device {} is not known here", a.device);
    m.device = resolve(*device);
  }
  for (const std::string& size : a.sizes) m.sizes.push_back(size_of(size, env));
  if (a.strides) {
    for (const std::string& stride : *a.strides) m.strides.push_back(size_of(stride, env));
  } else {
    const Device device = m.device;
    m = TensorMeta(m.dtype, std::vector<SymInt>(m.sizes.begin(), m.sizes.end()), device);
  }
  if (!a.offset.empty()) m.offset = size_of(a.offset, env);
  if (!m.is_symbolic()) {
    m.numel();
    storage_bytes_needed(m);
  }
  return m;
}

void apply_hint(const SymbolHint& hint, SymbolInfo& symbol) {
  if (hint.min) symbol.min = *hint.min;
  if (hint.max) symbol.max = *hint.max;
  if (hint.value) symbol.hint = hint.value;
}

void settle_symbols(ShapeEnv& env, const SymbolHints& hints, std::vector<std::string>& synthetic) {
  int64_t next = 12;  // a size that suits many programs: even, with several divisors, and different for each symbol
  for (const SymbolInfo& known : env.symbols()) {
    SymbolInfo info = known;
    const auto found = hints.find(info.name);
    if (found != hints.end()) apply_hint(found->second, info);
    if (info.name.starts_with("u") && found == hints.end()) info.min = INT64_MIN;
    if (!info.hint && info.name.starts_with("u")) {  // small, because an unbacked symbol often counts a part of a size
      info.hint = std::clamp<int64_t>(2, std::max<int64_t>(info.min, 0), std::max<int64_t>(info.max, 0));
      synthetic.push_back(info.name);
    } else if (!info.hint) {
      info.hint = std::clamp(next, std::max<int64_t>(info.min, 0), std::max<int64_t>(info.max, 0));
      next += 4;
      synthetic.push_back(info.name);
    }
    env.symbol(info);
  }
}

}  // namespace ersatz::pasted

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/op/literal.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/records/call_line.h"

namespace ersatz {
namespace {

constexpr size_t kShortestRun = 4;  // at least this many equal or consecutive elements are written as one word

/// Returns the number with the fewest digits that `read_back` turns into the same element.
std::string shortest(double d, double (*read_back)(double)) {
  if (std::trunc(d) == d && std::abs(d) < 1e9) return fmt::format("{:.0f}", d);
  for (int digits = 1; digits < 17; ++digits) {
    const std::string text = fmt::format("{:.{}g}", d, digits);
    if (read_back(std::strtod(text.c_str(), nullptr)) == d) return text;
  }
  return fmt::format("{:.17g}", d);
}

template <class T>
std::string element_text(const T& v) {
  if constexpr (std::is_same_v<T, bool>) {
    return v ? "True" : "False";
  } else if constexpr (std::is_integral_v<T>) {
    return fmt::format("{}", static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(v));
  } else {
    const std::complex<double> z = number_in(v);
    const auto part = [](double d) {
      if (std::isnan(d)) return std::string("nan");
      return shortest(d, [](double x) { return number_in(element_of<T>(x, x)).real(); });
    };
    if constexpr (is_complex_element<T> || is_packed_element<T>) {
      const std::string im = part(z.imag());
      return fmt::format("({}{}{}j)", part(z.real()), im.starts_with('-') ? "" : "+", im);
    } else {
      return part(z.real());
    }
  }
}

template <class T>
std::string elements_text(std::span<const std::byte> bytes) {
  const auto element = [&](size_t i) {
    T v;
    std::memcpy(&v, bytes.data() + i * sizeof(T), sizeof v);
    return v;
  };
  std::vector<std::string> words;
  for (size_t i = 0; i < bytes.size() / sizeof(T); ++i) words.push_back(element_text(element(i)));
  const auto counts = [&](size_t i) {  // element i is the previous element plus 1
    if constexpr (std::is_same_v<T, bool> || is_complex_element<T> || is_packed_element<T>) {
      return false;
    } else {
      const double a = number_in(element(i - 1)).real(), b = number_in(element(i)).real();
      return std::trunc(a) == a && std::abs(a) < 1e6 && b == a + 1 && words[i - 1] != "-0";
    }
  };
  std::string text;
  for (size_t i = 0; i < words.size();) {
    size_t equal = i + 1, counting = i + 1;
    while (equal < words.size() && words[equal] == words[i]) ++equal;
    while (counting < words.size() && counts(counting)) ++counting;
    text += " ";
    if (equal - i >= kShortestRun) {
      text += fmt::format("{}*{}", words[i], equal - i);
      i = equal;
    } else if (counting - i >= kShortestRun) {
      text += fmt::format("{}..{}", words[i], words[counting - 1]);
      i = counting;
    } else {
      text += words[i++];
    }
  }
  return text;
}

/// Returns ` = 1 2 3`; empty if the elements are not written.
std::string values_text(const RecordedTensor& t, int64_t most_elements) {
  if (!t.has_values || t.meta.numel().as_int() > most_elements || t.values.empty()) return "";
  return " =" + print_elements(t);
}

/// Returns metadata in the short style. The device is left out if it is the CPU.
std::string spelled(const MetaText& text) {
  std::string spelled = to_string(text, MetaStyle::People);
  if (const size_t at = spelled.find("@cpu"); text.meta.device.is_cpu() && at != spelled.npos) spelled.erase(at, 4);
  return spelled;
}

std::string argument_name(size_t number) { return fmt::format("{}{}", kArgumentName, number); }

std::string argument_text(const CallRecord& record, const RecordedArgument& a, int64_t most_elements) {
  if (a.kind == RecordedArgument::Kind::Literal) return to_string(a.literal);
  if (a.kind == RecordedArgument::Kind::List) {
    std::string items;
    for (const RecordedArgument& item : a.items)
      items += (items.empty() ? "" : ", ") + argument_text(record, item, most_elements);
    return "[" + items + "]";
  }
  const auto number = static_cast<size_t>(a.tensor);
  const RecordedTensor& t = record.tensors[number];
  if (t.is >= 0) return argument_name(static_cast<size_t>(t.is));
  MetaText text;
  text.meta = t.meta;
  if (t.nbytes > storage_bytes_needed(t.meta).as_int()) text.storage_bytes = t.nbytes;
  for (size_t j = 0; j < number && text.alias.empty(); ++j) {
    if (record.tensors[j].storage == t.storage) text.alias = argument_name(j);
  }
  if (!text.alias.empty()) text.storage_bytes.reset();
  return spelled(text) + values_text(t, most_elements);
}

std::string leaf_text(const CallRecord& record, const RecordedTensor& t, int argument, int64_t most_elements) {
  if (argument >= 0) {
    const TensorMeta& before = record.tensors[static_cast<size_t>(argument)].meta;
    const bool same = to_string(before) == to_string(t.meta);
    return argument_name(static_cast<size_t>(argument)) + (same ? "" : " " + spelled({t.meta, {}, {}, {}})) +
           values_text(t, most_elements);
  }
  MetaText text;
  text.meta = t.meta;
  for (size_t j = 0; j < record.tensors.size() && text.alias.empty(); ++j) {
    if (record.tensors[j].storage == t.storage) text.alias = argument_name(j);
  }
  return spelled(text) + values_text(t, most_elements);
}

}  // namespace

std::string print_elements(const RecordedTensor& t) {
  std::string text;
  dispatch_dtype<kEveryDType>(t.meta.dtype, [&]<class T>() { text = elements_text<T>(t.values); });
  return text;
}

std::string print_call(const OpEntry& op, const CallRecord& record, int64_t most_elements) {
  std::string_view name = op.name;
  if (name.ends_with(".default")) name.remove_suffix(8);
  std::string arguments;
  for (const RecordedArgument& a : record.args) {
    if (!arguments.empty()) arguments += ", ";
    if (!a.name.empty()) arguments += a.name + "=";
    arguments += argument_text(record, a, most_elements);
  }
  return fmt::format("{}({})", name, arguments);
}

std::string print_outcome(const OpEntry& op, const CallRecord& record, int64_t most_elements) {
  const RecordedOutcome& outcome = record.outcome;
  std::string results;
  const bool one_list = op.schema.returns.size() == 1 && op.schema.returns[0].type.is_list();
  for (const RecordedResult& r : outcome.results) {
    if (!results.empty()) results += ", ";
    if (r.kind == RecordedResult::Kind::None) results += "None";
    if (r.kind == RecordedResult::Kind::Number) results += to_string(r.number);
    if (r.kind == RecordedResult::Kind::Tensor) results += leaf_text(record, r.tensor, r.tensor.is, most_elements);
  }
  if (one_list) results = "[" + results + "]";
  std::string after;
  const auto is_result = [&](int number) {
    return std::any_of(outcome.results.begin(), outcome.results.end(),
                       [&](const RecordedResult& r) { return r.tensor.is == number; });
  };
  for (const auto& [number, t] : outcome.after)
    if (!is_result(number) && record.tensors[static_cast<size_t>(number)].is < 0)
      after += (after.empty() ? "; " : ", ") + leaf_text(record, t, number, most_elements);
  if (results.empty()) results = "()";
  return fmt::format("-> {}{}", results, after);
}

}  // namespace ersatz

#include "runtime/op/recorded_layout.h"

#include <charconv>

#include "runtime/base/other_devices.h"
#include "runtime/op/op_entry.h"

namespace ersatz {
namespace {

constexpr const char* kRows =
#include "layout_rows.inc"
    ;

std::string key_of(std::string_view op, int result, const BackendRecord& backend, std::string_view situation) {
  return fmt::format("{} {} {} {}", op, result, to_string(backend), situation);
}

/// Reads the fields of a row from left to right.
class RowReader {
 public:
  RowReader(std::string_view row, std::string_view source, int line) : rest_(row), source_(source), line_(line) {}

  std::string_view word() {
    const size_t end = std::min(rest_.find(' '), rest_.size());
    if (end == 0) refuse("a row is: op result backend strides situation");
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return found;
  }
  std::string_view rest() const { return rest_; }

  int64_t number(std::string_view text) const {
    int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size() || n < 0) refuse("'{}' is no number", text);
    return n;
  }
  /// Removes the next item `name<number>` from a comma-separated list and returns the number. Raises an error if the
  /// item has another name.
  int part(std::string_view& list, std::string_view name) const {
    const size_t end = std::min(list.find(','), list.size());
    const std::string_view item = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (!item.starts_with(name)) refuse("a backend is: sm_90,cublas=0,cudnn=0; not '{}'", item);
    return static_cast<int>(number(item.substr(name.size())));
  }
  DimVec strides(std::string_view text) const {
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') refuse("strides are: {{3,1}}; not '{}'", text);
    text = text.substr(1, text.size() - 2);
    DimVec found;
    while (!text.empty()) {
      const size_t end = std::min(text.find(','), text.size());
      found.push_back(number(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
  }

 private:
  template <class... A>
  [[noreturn]] void refuse(fmt::format_string<A...> format, const A&... values) const {
    fail_argument("{}:{}: {}", source_, line_, fmt::vformat(format, fmt::make_format_args(values...)));
  }

  std::string_view rest_, source_;
  int line_;
};

}  // namespace

std::string to_string(const BackendRecord& b) {
  return fmt::format("sm_{},cublas={},cudnn={}", b.cuda_capability, b.cublas_version, b.cudnn_version);
}

BackendRecord parse_backend(std::string_view text) {
  BackendRecord backend;
  const auto refuse = [&] {
    fail_argument(
        "'{}' is no backend: one looks like sm_90, or sm_90,cublas=130100,cudnn=91900 (an H100 with cuBLAS 13.1 and "
        "cuDNN 9.19); the versions may be left out",
        text);
  };
  std::string_view rest = text;
  for (bool first = true; first || !rest.empty(); first = false) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view name = first ? "sm_" : item.starts_with("cublas=") ? "cublas=" : "cudnn=";
    if (!item.starts_with(name)) refuse();
    int n = 0;
    const std::string_view digits = item.substr(name.size());
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (error != std::errc() || stop != digits.data() + digits.size() || n < 0) refuse();
    if (first && (n < 10 || n > 999)) refuse();
    (first ? backend.cuda_capability : name == "cublas=" ? backend.cublas_version : backend.cudnn_version) = n;
  }
  return backend;
}

void note_unknown_layout(RuleCall& composite) {
  composite.out.none();
  composite.out.outputs.back().unknown_layout = true;
}

std::string layout_situation(std::span<const Value> args) {
  std::string text;
  for (const Value& v : args) {
    if (!text.empty()) text += ", ";
    if (v.is_tensor()) {
      TensorMeta meta = v.tensor_impl()->meta;
      meta.requires_grad = false;
      meta.device = first_of_its_name(meta.device);
      text += to_string(meta);
    } else if (v.kind() == Value::Kind::List) {
      text += "[" + layout_situation(v.as_list()) + "]";
    } else if (v.kind() == Value::Kind::Device) {
      text += to_string(first_of_its_name(v.as_device()));
    } else {
      text += to_string(v);
    }
  }
  return text;
}

RecordedLayouts RecordedLayouts::parse(std::string_view text, std::string_view source) {
  RecordedLayouts layouts;
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.front() == '#') continue;
    RowReader reader(line, source, number);
    RecordedLayout row;
    row.op = reader.word();
    row.result = static_cast<int>(reader.number(reader.word()));
    std::string_view backend = reader.word();
    row.backend.cuda_capability = reader.part(backend, "sm_");
    row.backend.cublas_version = reader.part(backend, "cublas=");
    row.backend.cudnn_version = reader.part(backend, "cudnn=");
    row.strides = reader.strides(reader.word());
    row.situation = reader.rest();
    layouts.add(row);
  }
  return layouts;
}

void RecordedLayouts::add(const RecordedLayout& row) {
  rows_[key_of(row.op, row.result, row.backend, row.situation)] = row;
}

const DimVec* RecordedLayouts::find(std::string_view op, int result, std::string_view situation,
                                    const BackendRecord& backend) const {
  if (rows_.empty()) return nullptr;
  const auto found = rows_.find(key_of(op, result, backend, situation));
  return found == rows_.end() ? nullptr : &found->second.strides;
}

std::string RecordedLayouts::text() const {
  std::string all;
  for (const auto& [key, row] : rows_) {
    std::string strides;
    for (const SymInt& s : row.strides) strides += fmt::format("{}{}", strides.empty() ? "" : ",", s);
    all += fmt::format("{} {} {} {{{}}} {}\n", row.op, row.result, to_string(row.backend), strides, row.situation);
  }
  return all;
}

const RecordedLayouts& recorded_layouts() {
  static const auto* layouts = new RecordedLayouts(RecordedLayouts::parse(kRows, "docs/data/cuda_layouts.txt"));
  return *layouts;
}

const DimVec* recorded_layout(std::string_view op, int result, std::string_view situation,
                              const BackendRecord& backend) {
  return recorded_layouts().find(op, result, situation, backend);
}

void lay_out_by_library(RuleCall& call, size_t k) {
  OutputSpec& output = call.out.outputs[k];
  const bool known = call.device.is_cuda() && call.context.backend.cuda_capability > 0 && recorded_layouts().size() > 0;
  const DimVec* strides =
      known ? recorded_layout(call.op.name, static_cast<int>(k), layout_situation(call.args), call.context.backend)
            : nullptr;
  const bool fits = strides && strides->size() == output.meta.sizes.size();
  if (fits) output.meta.strides = *strides;
  output.unknown_layout = !fits;
}

}  // namespace ersatz

#include "tools/report/support_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "runtime/autograd/derivative.h"
#include "runtime/op/refused_names.h"
#include "runtime/op/registry.h"

namespace ersatz::tools {

namespace {

std::string dtype_list(DTypeSet set) {
  if (set == DTypeSet()) return "as the rule";
  if (set == kAllDTypes) return "all";
  std::string out;
  for (int i = 0; i < kDTypeCount; ++i) {
    auto t = static_cast<DType>(i);
    if (set.has(t)) out += (out.empty() ? "" : " ") + std::string(name(t));
  }
  return out;
}

/// True if the operator's dtypes on CUDA and on the CPU differ.
bool differs_on_cuda(const OpEntry& op) { return op.dtypes_on(DeviceType::CUDA) != op.dtypes_on(DeviceType::CPU); }

/// Lists the dtypes on the CPU, and those on CUDA if they differ.
std::string dtype_lists(const OpEntry& op) {
  std::string out = dtype_list(op.dtypes_on(DeviceType::CPU));
  if (differs_on_cuda(op)) out += "; cuda: " + dtype_list(op.dtypes_on(DeviceType::CUDA));
  return out;
}

/// Returns the source of the op's metadata: a rule, a composite, ...
std::string rule_source(const OpEntry& op) {
  if (op.composite) return "composite";
  if (op.functional) return "derived from " + op.functional->name;
  if (op.rule) return "rule";
  return op.fallback == FallbackPolicy::Zeros ? "fallback on zeros" : "none";
}

/// Returns the source of the op's values on a device: a kernel, a composite, ...
std::string kernel_source(const OpEntry& op, DeviceType d) {
  if (op.composite) return "composite";
  if (op.has_kernel(d)) return "yes";
  bool needs_none =
      op.rule && (op.tags.has(Tag::View) || op.tags.has(Tag::InplaceView) || op.tags.has(Tag::Uninitialized));
  return needs_none ? "no kernel needed" : "no";
}

/// Describes how the op is differentiated. An `out=` overload has no derivative formula, because autograd refuses its
/// call or its backward run.
std::string gradient(const OpEntry& op) {
  const GradientVerdict verdict = derivative_of(op).verdict;
  if (op.out_arguments > 0 && verdict == GradientVerdict::Missing) return "refused";
  std::string words(name(verdict));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

/// True if the op's derivative formula calls a function of ersatz and not only operators.
bool has_gradient_function(const OpEntry& op) {
  if (derivative_of(op).verdict != GradientVerdict::Row) return false;
  const OpEntry& of = op.derivative.text.empty() && op.functional ? *op.functional : op;
  const std::string_view text = of.derivative.text;
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t open = text.find('('); open != text.npos; open = text.find('(', open + 1)) {
    size_t from = open;
    while (from > 0 && is_letter(text[from - 1])) --from;
    if (is_gradient_function(text.substr(from, open - from))) return true;
  }
  return false;
}

/// Counts the overloads by GradientVerdict.
std::string gradient_counts(std::span<const OpEntry* const> ops) {
  std::map<std::string, int> of;
  int functions = 0, core = 0;
  for (const OpEntry* op : ops) {
    ++of[gradient(*op)];
    functions += has_gradient_function(*op);
    const GradientVerdict v = derivative_of(*op).verdict;
    core += op->tags.has(Tag::Core) && (v == GradientVerdict::Row || v == GradientVerdict::Parts);
  }
  return fmt::format(
      " Gradients: {} overloads have a row, and the formulas of {} of these name a function of C++; {} are "
      "differentiated item by item and {} by their parts; {} have no gradient, {} refuse one and of {} it is missing. "
      "{} core overloads have a row or parts.",
      of["row"], functions, of["items"], of["parts"], of["no gradient"], of["refused"], of["missing"], core);
}

/// Returns the source of the op's CUDA values, and the GPU on which the kernel was tested. A derived overload runs the
/// kernel of its functional op.
std::string cuda_source(const OpEntry& op, const CudaSupport& cuda) {
  if (!cuda.listed) return "";
  const std::string source = kernel_source(op, DeviceType::CUDA);
  if (source != "yes") return source;
  const OpEntry& kernel = op.functional ? *op.functional : op;
  if (cuda.verified.contains(kernel.name)) return "verified";
  return cuda.ran_as_ptx.contains(kernel.name) ? "runs as PTX" : "unverified";
}

std::string declared(const OpEntry& op) {
  static constexpr std::pair<Tag, const char*> words[] = {
      {Tag::FailsOnValues, "fails on values"},     {Tag::DataDependent, "data-dependent size"},
      {Tag::LayoutByLibrary, "layout by library"}, {Tag::Random, "random"},
      {Tag::ScalarRead, "reads a value"},          {Tag::Foreign, "foreign"}};
  std::string out;
  for (auto [tag, word] : words) {
    if (op.tags.has(tag)) out += (out.empty() ? "" : ", ") + std::string(word);
  }
  return out;
}

}  // namespace

namespace {

/// Calls f(cells, line, line number) for each row of a CSV text except the header.
template <class F>
void for_each_row(std::string_view text, F&& f) {
  int number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line(text.substr(at, end - at));
    at = end + 1;
    if (++number == 1 || line.empty()) continue;
    std::vector<std::string> cells;
    for (size_t from = 0; from <= line.size();) {
      const size_t comma = std::min(line.find(',', from), line.size());
      cells.push_back(line.substr(from, comma - from));
      from = comma + 1;
    }
    f(cells, line, number);
  }
}

}  // namespace

RecordedOps parse_records_csv(std::string_view text, const std::string& file) {
  RecordedOps counts;
  for_each_row(text, [&](const std::vector<std::string>& cells, const std::string& line, int number) {
    const auto count = [&](size_t cell) {
      int64_t n = -1;
      if (cell < cells.size()) std::from_chars(cells[cell].data(), cells[cell].data() + cells[cell].size(), n);
      if (n < 0)
        fail_argument("{}:{}: a row is op,records,passed,failed,waived,missing,skipped,values: '{}'", file, number,
                      line);
      return n;
    };
    counts[cells[0]] = {count(1), count(2), count(3), count(4), count(5), count(6), count(7)};
  });
  return counts;
}

std::map<std::string, std::string> parse_verified_csv(std::string_view text, const std::string& file) {
  std::map<std::string, std::string> verified;
  for_each_row(text, [&](const std::vector<std::string>& cells, const std::string& line, int number) {
    if (cells.size() != 4 || cells[0].empty()) {
      fail_argument("{}:{}: a row is op,card,driver,date: '{}'", file, number, line);
    }
    verified[cells[0]] = cells[1];
  });
  return verified;
}

std::set<std::string> parse_ptx_csv(std::string_view text, const std::string& file) {
  std::set<std::string> ops;
  for_each_row(text, [&](const std::vector<std::string>& cells, const std::string& line, int number) {
    if (cells.size() != 1) fail_argument("{}:{}: a row is op: '{}'", file, number, line);
    ops.insert(cells[0]);
  });
  return ops;
}

namespace {
/// Lists the operators that ersatz knows and refuses, grouped by reason.
std::string refused_by_name() {
  std::string out;
  std::map<std::string, std::string> patterns;
  std::vector<const RefusedName*> reasons;
  for (const RefusedName& row : refused_names()) {
    std::string& of_reason = patterns[row.words];
    if (of_reason.empty()) reasons.push_back(&row);
    of_reason += fmt::format("{}`{}`", of_reason.empty() ? "" : ", ", row.pattern);
  }
  if (!reasons.empty()) {
    out +=
        "\n## Refused by name\n\nKnown, and not here: a call says what would work. A name without a dot is a whole "
        "namespace; `*` stands for any ending. What is in the table above is not refused.\n\n";
  }
  for (const RefusedName* row : reasons)
    out += fmt::format("- {} ({}): {}\n", row->words, row->suggestion, patterns[row->words]);
  return out;
}
}  // namespace

std::string support_markdown(std::span<const OpEntry* const> ops, const RecordedOps& records, const CudaSupport& cuda) {
  std::string out =
      "<!-- Generated by `ersatz ops --markdown`; do not edit. -->\n"
      "# Supported operators\n\n"
      "One row an overload. *Rule*: what decides its metadata, on every device and in every mode. *CPU*: where its "
      "values come from; *CUDA*: the same, and whether the kernel has run and agreed with the CPU's: on a GPU "
      "(`verified`, from `docs/data/cuda_verified.csv`), as the PTX that nvcc makes of it (`runs as PTX`, from "
      "`docs/data/cuda_ptx.csv`), or compiled for the host alone (`unverified`:\n"
      "it compiles for CUDA, and runs on the emulated device of the tests). *Dtypes*: what the "
      "kernels take, "
      "on both devices, or on the CPU and behind `cuda:` on CUDA; the rule refuses the others. *Declared*: the\n"
      "exceptions that its entry declares. *Samples*: calls that every test run makes, accepted and refused ones. An "
      "operator that is not here is not\n"
      "supported: tools list it with its count and `--keep-going` goes on from recorded metadata. *Records*: calls of "
      "PyTorch 2.15 eager, recorded on CPU,\n"
      "that give the same here (metadata, aliasing, writes, errors), of those that there are, and in brackets how many "
      "of them had values compared too: most records hold none, and random ones are not compared. From\n"
      "`docs/data/records.csv`. Those that differ on purpose do not pass: `docs/data/record_waivers.txt`. *Gradient*: "
      "how autograd\n"
      "takes a call ([gradients.md](gradients.md#what-a-derivative-is) has the verdicts).\n\n";
  int core = 0;
  for (const OpEntry* op : ops) core += op->tags.has(Tag::Core);
  out += fmt::format("{} overloads, {} of them core ATen.", ops.size(), core);
  OpRecords sum;
  int recorded = 0, without_values = 0;
  for (const OpEntry* op : ops) {
    const auto at = records.find(op->name);
    if (at == records.end()) continue;
    sum.records += at->second.records - at->second.missing;
    sum.passed += at->second.passed;
    sum.failed += at->second.failed;
    sum.waived += at->second.waived;
    sum.skipped += at->second.skipped;
    sum.with_values += at->second.with_values;
    ++recorded;
    without_values += at->second.with_values == 0;
  }
  int64_t refused_records = 0, missing_records = 0;
  for (const auto& [op, r] : records) (refused_name(op) ? refused_records : missing_records) += r.missing;
  if (sum.records > 0) {
    out += fmt::format(
        " {} of {} recorded calls pass, {} fail, {} differ on purpose, {} could not be compared, {} are of operators "
        "that are refused by name, {} of operators that are not here. {} of those that pass had values compared too; "
        "of {} of the {} overloads with records no values were.",
        sum.passed, sum.records + refused_records + missing_records, sum.failed, sum.waived, sum.skipped,
        refused_records, missing_records, sum.with_values, without_values, recorded);
  }
  if (cuda.listed) {
    int kernels = 0, composites = 0, verified = 0, ptx = 0;
    for (const OpEntry* op : ops) {
      const std::string source = cuda_source(*op, cuda);
      composites += source == "composite";
      kernels += source != "composite" && source != "no";
      verified += source == "verified";
      ptx += source == "runs as PTX";
    }
    out += fmt::format(
        " {} run on CUDA by a kernel or need none, {} are made of others and run where these do; the kernels of {} are "
        "verified on a GPU, and those of {} others run as PTX.",
        kernels, composites, verified, ptx);
  }
  out += gradient_counts(ops);
  out +=
      "\n\n| overload | core | rule | CPU | CUDA | dtypes | declared | samples | records | gradient "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const OpEntry* op : ops) {
    const auto at = records.find(op->name);
    const std::string replayed = at == records.end() ? ""
                                                     : fmt::format("{} / {} ({})", at->second.passed,
                                                                   at->second.records, at->second.with_values);
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} + {} | {} | {} |\n", op->name,
                       op->tags.has(Tag::Core) ? "core" : "", rule_source(*op), kernel_source(*op, DeviceType::CPU),
                       cuda_source(*op, cuda), dtype_lists(*op), declared(*op), op->samples.size(),
                       op->error_samples.size(), replayed, gradient(*op));
  }
  std::string missing;
  int count = 0;
  for (const auto& [name, r] : records) {
    if (registry().find(name) || refused_name(name)) continue;
    missing += fmt::format("{}`{}`", count++ == 0 ? "" : ", ", name);
  }
  out += refused_by_name();
  if (count > 0) {
    out += fmt::format("\n## Not here\n\n{} overloads of which {} calls are recorded: {}.\n", count, missing_records,
                       missing);
  }
  return out;
}

namespace {

nlohmann::ordered_json support_row(const OpEntry& op, const CudaSupport& cuda) {
  using Json = nlohmann::ordered_json;
  return {{"core", op.tags.has(Tag::Core)},
          {"cpu", kernel_source(op, DeviceType::CPU)},
          {"cpu_dtypes", dtype_list(op.dtypes_on(DeviceType::CPU))},
          {"cuda", cuda.listed ? Json(cuda_source(op, cuda)) : Json()},
          {"cuda_dtypes", dtype_list(op.dtypes_on(DeviceType::CUDA))},
          {"declared", declared(op)},
          {"error_samples", op.error_samples.size()},
          {"gradient", gradient(op)},
          {"op", op.name},
          {"rule", rule_source(op)},
          {"samples", op.samples.size()},
          {"schema", to_string(op.schema)}};
}

/// Lists everything that the registry declares about an op.
std::string described(const OpEntry& op, const CudaSupport& cuda) {
  std::string out = op.name + "\n";
  auto line = [&](const char* key, const std::string& value) {
    if (!value.empty()) out += fmt::format("  {:<12} {}\n", key, value);
  };
  line("schema", to_string(op.schema));
  line("rule", rule_source(op));
  line("cpu", kernel_source(op, DeviceType::CPU));
  line("cuda", cuda.listed ? cuda_source(op, cuda) : "unknown: " + cuda.reason);
  line("dtypes", dtype_list(op.dtypes_on(DeviceType::CPU)));
  if (differs_on_cuda(op)) line("cuda dtypes", dtype_list(op.dtypes_on(DeviceType::CUDA)));
  line("declared", declared(op));
  line("gradient", gradient(op));
  line("source", op.source);
  for (const Sample& s : op.samples) line("takes", s.arguments);
  for (const ErrorSample& s : op.error_samples)
    line("refuses", fmt::format("{}  [{}.{}]", s.arguments, op.base(), s.label));
  return out;
}

std::string one_line_of(const OpEntry& op) {
  const char* rule = op.composite ? "composite" : op.functional ? "derived" : op.rule ? "rule" : "no rule";
  return fmt::format("{:<52} {:<11} {}\n", op.name, rule, dtype_lists(op));
}

}  // namespace

Document support_report(std::span<const OpEntry* const> ops, const CudaSupport& cuda, bool in_full) {
  Document out;
  nlohmann::ordered_json& rows = out.data["ops"] = nlohmann::ordered_json::array();
  for (const OpEntry* op : ops) {
    out.add(in_full ? described(*op, cuda) : one_line_of(*op));
    rows.push_back(support_row(*op, cuda));
  }
  if (!in_full) out.add(fmt::format("{} overloads\n", ops.size()));
  return out;
}

}  // namespace ersatz::tools

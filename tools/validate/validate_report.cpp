// The report of `ersatz validate`.
#include <fmt/format.h>

#include "fake/crosscheck/not_clean.h"
#include "tools/output/finding_text.h"
#include "tools/output/output_budget.h"
#include "tools/output/own_calls_json.h"
#include "tools/validate/record_snippet.h"
#include "tools/validate/validate_run.h"

namespace ersatz::tools {

namespace {

constexpr size_t kOpsShown = 12;  // if there are more ops, only ops with a finding get a block of their own

std::string text(const nlohmann::ordered_json& finding, const char* key) {
  const auto at = finding.find(key);
  return at != finding.end() && at->is_string() ? at->get<std::string>() : std::string();
}

/// Returns the first line of a finding, and the predicted and observed values below it. A bug of ersatz, a crash or a
/// hang has only one text.
Document difference(const std::string& head, const Finding& f) {
  if (f.verdict == "bug") return fmt::format("{}: {}\n", head, f.observed);
  if (f.verdict == "crash" || f.verdict == "hang") return fmt::format("{}: {}: {}\n", head, f.verdict, f.observed);
  return finding_lines(fmt::format("{}: {}", head, name(f.field)), sides_of(f));
}

Document finding_text(const ValidateFinding& found, int64_t samples, bool with_repro, OutputBudget& budget) {
  const Finding& f = found.finding;
  const bool died = f.verdict == "crash" || f.verdict == "hang";
  Document out;
  out.add(Mark::Finding, "finding:", difference(f.result < 0 ? f.op : fmt::format("{}, result {}", f.op, f.result), f));
  if (died && !f.words.empty()) out.add_term("its last words", f.words);
  // Recorded calls and calls with gradients are not shrunk.
  const bool recorded = found.first.starts_with("record ") || found.key.starts_with("gradients ");
  if (!f.cause.empty()) out.add_term("cause", f.cause);
  if (!f.source.empty()) out.add_term("to change", f.source);
  if (found.calls == 0) return budget.fit(std::move(out));  // the finding says that the op cannot be called
  out.add_term(recorded ? "first call" : "smallest call", found.call);
  for (const std::string& why : found.why) out.add_term("why", why);
  out.add(Document::Kind::Below, fmt::format("in {} of {} calls, the first: {}", found.calls, samples,
                                             recorded ? found.first : found.first.substr(0, found.first.find(": "))));
  if (!f.repro.empty() && with_repro) {
    const bool is_record = f.repro.starts_with('{');
    const std::string lines = is_record ? record_snippet(parse_call_record(f.repro, "repro")) : "";
    Document program;
    program.add(Document::Kind::Below,
                !lines.empty() ? "in PyTorch (--json has the call as a record for ersatz validate):"
                               : fmt::format("repro, for ersatz {}:", is_record ? "validate" : "crosscheck"));
    program.add_code(!lines.empty() ? lines : f.repro);
    if (budget.fits_repro(out.size(), program.size())) {
      out.add(std::move(program));
    } else {
      out.add_term(fmt::format("a repro of {} bytes", f.repro.size()), "--json has it");
    }
  }
  return budget.fit(std::move(out));
}

/// Adds all findings of an op. If there are several, repros are shown only in a whole report.
void add_findings(const OpVerdict& v, bool whole, OutputBudget& budget, Document& out) {
  const bool with_repros = whole || v.found.size() == 1;
  bool left_out = false;
  for (const ValidateFinding& f : v.found) {
    out.data["findings"].push_back(to_json(f));
    out.add(finding_text(f, v.samples, with_repros, budget));
    left_out |= !with_repros && !f.finding.repro.empty();
  }
  if (left_out) out.add(Document::Kind::Below, "a repro of each, for ersatz crosscheck: -o FILE and --json have them");
}

/// Returns the text for a reason why calls were not compared.
std::string_view words_of(const std::string& reason) {
  static const std::map<std::string, std::string_view, std::less<>> words = {
      {"unwitnessed", "nobody but the rule speaks for the metadata: the kernel fills what the rule made"},
      {"unsupported", "refused as not supported, or what no record holds here"},
      {"kernel_raised",
       "the kernel raised for the sample as given: nothing was compared; does it read something outside of its "
       "arguments? ersatz.torch.record around the model"},
      {"data_dependent", "the result depends on values: there is no prediction to hold it against"},
      {"refused_for_values", "refused for values that the fill gave: a rule cannot know them"},
      {"no_such_tensors", "a random call whose arguments cannot be made"},
      {"after_crashes", "not made: too many calls before them crashed or hung"},
      {"prediction_refused", "the recorder's fake kernel refused the call: there is no prediction"}};
  const auto at = words.find(reason);
  return at == words.end() ? std::string_view() : at->second;
}

constexpr size_t kAboutShown = 8;  // the most dtypes, arguments or errors shown for one reason

/// Lists the dtypes, arguments or errors that calls were not compared for: `dtype float8_e4m3fn of result 0 (27
/// calls)`.
Document about_text(const std::map<std::string, int64_t>& about) {
  Document out;
  size_t shown = 0;
  for (const auto& [words, n] : about) {
    if (shown++ == kAboutShown) {
      out.add(Document::Kind::Code, fmt::format("and {} others: --json has them", about.size() - kAboutShown));
      return out;
    }
    out.add(Document::Kind::Code, fmt::format("{} ({} call{})", words, n, n == 1 ? "" : "s"));
  }
  return out;
}

Document reasons_text(const OpVerdict& total, bool with_counts) {
  Document out;
  for (const auto& [reason, n] : total.unchecked) {
    const std::string_view words = words_of(reason);
    const auto about = total.about.find(reason);
    if (!with_counts && words.empty() && about == total.about.end()) continue;
    const std::string name = with_counts ? fmt::format("{} {}", reason, n) : reason;
    if (words.empty()) {
      out.add(Document::Kind::Below, name);
    } else {
      out.add_term(name, words);
    }
    if (about != total.about.end()) out.add(about_text(about->second));
  }
  return out;
}

/// Returns the row of an op in the JSON key `ops`.
nlohmann::ordered_json verdict_row(const std::string& op, const OpVerdict& v) {
  nlohmann::ordered_json row = {{"op", op}}, counts = to_json(v);
  counts.erase("found");  // the report's key `findings` has them
  row.update(counts);
  return row;
}

Document verdict_lines(const std::string& op, const OpVerdict& v) {
  std::string line = fmt::format("{}: {} calls, {} agreed, {} refused alike", op, v.samples, v.agreed, v.refused);
  if (!v.found.empty()) line += fmt::format(", {} with findings", v.findings);
  if (v.found.size() > 1) line += fmt::format(" ({} different ones)", v.found.size());
  std::string unchecked;
  for (const auto& [reason, n] : v.unchecked)
    unchecked += fmt::format("{}{} {}", unchecked.empty() ? "" : ", ", reason, n);
  if (!unchecked.empty()) line += fmt::format("; not checked: {}", unchecked);
  Document out = line;
  for (const auto& [reason, words] : v.gaps) out.add_term(reason, words);
  return out;
}

Document proposal_text(const nlohmann::ordered_json& inferred) {
  Document out = "proposal for " + text(inferred, "text");
  if (const std::string cpp = text(inferred, "cpp"); !cpp.empty()) {
    out.add(Document::Kind::Below, "to paste into a plugin:");
    out.add_code(cpp);
  }
  if (const std::string why = text(inferred, "no_cpp"); !why.empty())
    out.add(Document::Kind::Below, fmt::format("not as C++: {} (--rules FILE keeps it)", why));
  return out;
}

}  // namespace

Document validate_report(const ValidateReport& report, nlohmann::ordered_json envelope, bool whole) {
  OutputBudget budget(whole);
  Document out;
  out.data = std::move(envelope);
  if (report.total().found.empty()) mark_not_clean(out.data, why_not_clean(report));
  out.data["run"] = report.run;
  if (!report.shard.empty()) out.data["shard"] = report.shard;
  out.data["units"] = report.units;
  for (const char* key : {"ops", "findings"}) out.data[key] = nlohmann::ordered_json::array();
  for (const auto& [op, v] : report.ops) add_findings(v, whole, budget, out);
  out.add(budget.rest());
  const bool all = report.ops.size() <= kOpsShown;
  std::map<std::string, int64_t> gaps;
  int64_t clean = 0;
  for (const auto& [op, v] : report.ops) {
    out.data["ops"].push_back(verdict_row(op, v));
    clean += v.found.empty() && v.samples > 0;
    if (all || !v.found.empty()) out.add(verdict_lines(op, v));
    if (!v.inferred.is_null()) out.add(budget.fit(proposal_text(v.inferred), 0));
    for (const auto& [reason, words] : v.gaps) ++gaps[reason];
  }
  if (!all) {
    std::string line = fmt::format("{} ops without a finding", clean);
    for (const auto& [reason, n] : gaps) line += fmt::format(", {} with {}", n, reason);
    out.add(line + " (--json has a row for each)");
  }
  out.data["own"] = own_json(own_calls(report));
  const OpVerdict total = report.total();
  if (!all && !total.unchecked.empty()) out.add("not checked, by calls:\n");
  out.add(reasons_text(total, !all));
  out.closing = closing_line(report);
  return out;
}

std::string closing_line(const ValidateReport& report) {
  const OpVerdict t = report.total();
  return with_reason(
      fmt::format("validate: {} ops, {} calls, {} agreed, {} refused alike, {} with findings, {} unchecked",
                  report.ops.size(), t.samples, t.agreed, t.refused, t.findings,
                  t.samples - t.agreed - t.refused - t.findings),
      t.found.empty() ? why_not_clean(report) : "");
}

}  // namespace ersatz::tools

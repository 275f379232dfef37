#include <fmt/format.h>

#include <map>

#include "tools/output/ci_findings.h"
#include "tools/output/ci_formats.h"
#include "tools/output/markup.h"

namespace ersatz::tools {

namespace {

using Json = nlohmann::ordered_json;

/// A JUnit test case while it is being built.
struct TestCase {
  std::vector<std::string> failures;  ///< XML elements of its failures
  std::string skipped, error;         ///< reasons why it was skipped or had an error; empty: it had none
};

struct Sums {
  int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

std::string element(const std::string& suite, const std::string& name, const TestCase& c, Sums& sums) {
  ++sums.tests;
  sums.failures += !c.failures.empty();
  sums.errors += c.failures.empty() && !c.error.empty();
  std::string inside;
  if (!c.failures.empty()) {
    for (const std::string& failure : c.failures) inside += "   " + failure + "\n";
  } else if (!c.error.empty()) {
    inside = fmt::format("   <error message=\"{}\"/>\n", escape_markup(c.error));
  } else if (!c.skipped.empty()) {
    ++sums.skipped;
    inside = fmt::format("   <skipped message=\"{}\"/>\n", escape_markup(c.skipped));
  }
  const std::string head =
      fmt::format("  <testcase classname=\"{}\" name=\"{}\"", escape_markup(suite), escape_markup(name));
  return inside.empty() ? head + "/>\n" : head + ">\n" + inside + "  </testcase>\n";
}

std::string failure(const ReportedFinding& found) {
  const Finding& f = found.finding;
  std::string body = found.line() + "\n";
  if (!f.words.empty()) body += f.words + "\n";
  for (size_t i = 0; i < f.args.size(); ++i) body += fmt::format("arg {}: {}\n", i, f.args[i]);
  const FindingPlace& place = found.place;
  if (!place.file.empty())
    body += place.line > 0 ? fmt::format("at {}:{}\n", place.file, place.line) : fmt::format("in {}\n", place.file);
  return fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", escape_markup(found.field),
                     escape_markup(found.line()), escape_markup(body));
}

}  // namespace

std::string junit_text(const Json& raw) {
  const Json report = clean_report(raw);
  std::map<std::string, TestCase> cases;  // by operator
  for (const char* key : {"coverage", "ops"}) {
    const auto rows = report.find(key);
    if (rows == report.end() || !rows->is_array()) continue;
    for (const Json& row : *rows) {
      if (row.is_object() && !text_at(row, "op").empty()) cases[text_at(row, "op")];
    }
  }
  if (const auto missing = report.find("missing"); missing != report.end() && missing->is_object()) {
    for (const auto& [op, times] : missing->items()) {
      cases[op].skipped = fmt::format("the operator is missing ({} calls)", times.dump());
    }
  }
  for (const auto& [op, calls] : own_of(report).unjudged) {
    if (std::string& why = cases[op].skipped; why.empty()) why = not_judged(op, calls);
  }
  for (const ReportedFinding& found : findings_of(report)) {
    cases[found.finding.op].failures.push_back(failure(found));
  }
  const std::string command = "ersatz " + text_at(report, "command"), input = text_at(report, "input");
  const std::string suite = input.empty() ? command : command + " " + input, status = text_at(report, "status");
  TestCase whole;
  if (const std::string because = ended_because(report); !because.empty()) {
    if (status == "findings" || status == "unjudged") {
      whole.failures.push_back(fmt::format("<failure type=\"findings\" message=\"{}\"/>", escape_markup(because)));
    } else {
      whole.error = because;
    }
  }
  Sums sums;
  std::string body = element(suite, command, whole, sums);
  for (const auto& [op, c] : cases) body += element(suite, op, c, sums);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", sums.tests, sums.failures, sums.errors);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ersatz\" {}>\n <testsuite name=\"{}\" {} "
      "skipped=\"{}\">\n{} </testsuite>\n</testsuites>\n",
      counts, escape_markup(suite), counts, sums.skipped, body);
}

}  // namespace ersatz::tools

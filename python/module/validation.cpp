// ersatz.torch.validate: compares recorded calls of an op in this process, with the code of `ersatz validate`.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "python/module/errors.h"
#include "python/module/report_object.h"
#include "tools/answer/command_answer.h"
#include "tools/report/html_report.h"
#include "tools/validate/record_validation.h"
#include "tools/validate/validate_run.h"

namespace ersatz::python {
namespace {

using Json = nlohmann::ordered_json;

class TorchValidation {
 public:
  explicit TorchValidation(const std::string& path) : validation_(path) {}

  /// Returns for each finding (index of the first record with the finding, field, result).
  std::vector<std::tuple<int64_t, std::string, int>> found() {
    std::vector<std::tuple<int64_t, std::string, int>> all;
    for (const auto& f : validation_.found()) {
      const Finding& finding = f.finding->finding;
      all.emplace_back(f.record, std::string(name(finding.field)), finding.result);
    }
    return all;
  }

  void make_small(size_t number, const nb::callable& make, int most) {
    validation_.make_small(
        validation_.found().at(number),
        [&](const std::string& arguments, std::string_view fill) {
          return nb::cast<std::optional<std::string>>(make(arguments, std::string(fill)));
        },
        most);
  }

  /// Returns the record of the smallest call that shows finding `number`.
  std::string record(size_t number) { return validation_.found().at(number).finding->finding.repro; }

  /// Sets the description of the finding's first call, and the line to change.
  void place(size_t number, const std::string& first, const std::string& to_change) {
    tools::ValidateFinding& f = *validation_.found().at(number).finding;
    f.first = first;
    f.place.clear();  // the place is a line of a temporary file
    f.finding.source = to_change;
  }

  /// Adds the comparison of a registered backward formula: counts of the op's calls with gradients, and their findings.
  void add_gradients(const std::string& made) {
    const Json told = Json::parse(made);
    const auto op = told.at("op").get<std::string>();
    tools::OpVerdict& v = validation_.report.ops[op];
    v.is_foreign = true;
    // An autograd.Function has no calls without gradients.
    if (validation_.report.units == 0) validation_.report.units = 1;
    v.samples += told.at("calls").get<int64_t>();
    v.agreed += told.at("agreed").get<int64_t>();
    v.findings += told.at("failed").get<int64_t>();
    if (told.at("nothing").get<bool>()) ++v.unjudged, ++v.unchecked["no gradient was compared"];
    for (const Json& f : told.at("found")) {
      Finding finding;
      finding.op = op;
      finding.field = parse_finding_field(f.at("field").get<std::string>()).value();
      finding.predicted = f.at("predicted").get<std::string>();
      finding.observed = f.at("observed").get<std::string>();
      finding.witness = Witness::Eager;
      finding.verdict = "significant";
      finding.cause = f.at("cause").get<std::string>();
      finding.source = f.at("source").get<std::string>();
      v.found.push_back({std::move(finding),
                         f.at("key").get<std::string>(),
                         f.at("call").get<std::string>(),
                         f.at("first").get<std::string>(),
                         {},
                         f.at("calls").get<int64_t>()});
    }
    gradients_ = told.at("counts");
  }

  /// Returns the report. `note` is printed before the closing line.
  ReportObject report(const std::string& input, const std::string& note) const {
    const tools::OpVerdict total = validation_.report.total();
    ReportParts parts{{}, {}, {}, -1};
    Report& report = parts.report;
    report.nodes = report.results = total.samples;
    report.compared = total.agreed + total.refused + total.findings;
    report.mismatched = total.findings;
    report.own = tools::own_calls(validation_.report);
    for (const tools::ValidateFinding& f : total.found) {
      report.findings.push_back(f.finding);
      parts.times.push_back(f.calls);
    }
    Json json = tools::report_envelope("validate", input, "cpu", tools::status_of(validation_.report));
    json["nodes"] = json["results"] = report.nodes;
    json["compared"] = report.compared;
    json["mismatched"] = report.mismatched;
    json["skipped"] = total.unchecked;
    tools::Document judged = tools::validate_report(validation_.report, std::move(json), true);
    json = std::exchange(judged.data, nullptr);
    json["times"] = parts.times;
    if (!gradients_.is_null()) json["gradients"] = gradients_;
    parts.document.page = [input, report, total, text = tools::plain(judged),
                           status = std::string(tools::name(tools::status_of(validation_.report))),
                           closing = tools::closing_line(validation_.report)] {
      return page(input, report, total, status, text, closing);
    };
    parts.document.add(std::move(judged));
    parts.document.add(note);
    parts.document.data = std::move(json);
    return ReportObject(std::move(parts));
  }

 private:
  static std::string page(const std::string& input, Report report, const tools::OpVerdict& total,
                          const std::string& status, const std::string& text, const std::string& closing) {
    std::vector<tools::FindingNotes> notes;
    for (Finding& f : report.findings) f.node.clear();  // the node is the number of a record in a temporary file
    for (const tools::ValidateFinding& f : total.found) {
      notes.push_back({f.finding.source, f.call, f.why,
                       fmt::format("in {} of {} calls, the first: {}", f.calls, total.samples, f.first)});
    }
    return tools::html_page({input, "cpu", status, report, {}, {}, text, closing, notes});
  }

  tools::RecordValidation validation_;
  Json gradients_;  ///< counts of compared gradients; null if gradients are not compared
};

}  // namespace

void bind_validation(nb::module_& m) {
  nb::class_<TorchValidation>(m, "TorchValidation", "Recorded calls of an op, each judged by itself.")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def("found", &TorchValidation::found)
      .def("make_small", &TorchValidation::make_small, nb::arg("number"), nb::arg("make"), nb::arg("most"))
      .def("record", &TorchValidation::record, nb::arg("number"))
      .def("place", &TorchValidation::place, nb::arg("number"), nb::arg("first"), nb::arg("to_change"))
      .def("add_gradients", &TorchValidation::add_gradients, nb::arg("made"))
      .def("report", &TorchValidation::report, nb::arg("input"), nb::arg("note") = "",
           "The report. `note` is printed before the closing line.");
}

}  // namespace ersatz::python

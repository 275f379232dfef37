#include "python/module/report_object.h"

#include <fmt/format.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fake/crosscheck/not_clean.h"
#include "runtime/base/count_text.h"
#include "tools/output/finding_json.h"
#include "tools/report/report_json.h"

namespace ersatz::python {

using Json = nlohmann::ordered_json;

namespace {

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json to_json(const FindingObject& f) {
  Json json = tools::to_json(f.finding);
  json["field"] = f.field();
  return json;
}

Witness witness_named(const std::string& name) {
  const std::optional<Witness> witness = parse_witness(name);
  if (!witness) fail_argument("'{}' is no witness of a finding: eager, kernel, record, device or declaration", name);
  return *witness;
}

FindingObject finding_of(std::string op, std::string node, int result, std::string field, std::string predicted,
                         std::string observed, const std::string& witness, std::string verdict, std::string words,
                         std::string cause, std::string source, std::vector<std::string> args, std::string repro,
                         int64_t times) {
  FindingObject f;
  if (const std::optional<FindingField> known = parse_finding_field(field))
    f.finding.field = *known;
  else
    f.own_field = std::move(field);
  f.finding.op = std::move(op);
  f.finding.node = std::move(node);
  f.finding.result = result;
  f.finding.predicted = std::move(predicted);
  f.finding.observed = std::move(observed);
  f.finding.witness = witness_named(witness);
  f.finding.verdict = std::move(verdict);
  f.finding.words = std::move(words);
  f.finding.cause = std::move(cause);
  f.finding.source = std::move(source);
  f.finding.args = std::move(args);
  f.finding.repro = std::move(repro);
  f.times = times;
  return f;
}

FindingObject finding_from(const std::string& text, int64_t times) {
  Json json = Json::parse(text);
  FindingObject f;
  if (std::string field = json.value("field", ""); !parse_finding_field(field)) {
    f.own_field = std::move(field);
    json.erase("field");
  }
  f.finding = tools::finding_from_json(json);
  f.times = times;
  return f;
}

/// Returns the object's state for pickle: its JSON, `times`, and the attributes of a subclass as a dict or None.
nb::tuple state_of(nb::handle self) {
  const auto& f = nb::cast<const FindingObject&>(self);
  return nb::make_tuple(dumped(to_json(f), -1), f.times, nb::getattr(self, "__dict__", nb::none()));
}

void bind_finding(nb::module_& m) {
  const auto text = [](std::string Finding::*member) {
    return [member](const FindingObject& f) { return f.finding.*member; };
  };
  nb::class_<FindingObject>(m, "Finding", "One field in which a prediction and what was observed differ.")
      .def(
          "__init__",
          [](FindingObject* self, std::string op, std::string node, int result, std::string field,
             std::string predicted, std::string observed, const std::string& witness, std::string verdict,
             std::string words, std::string cause, std::string source, std::vector<std::string> args, std::string repro,
             int64_t times) {
            new (self) FindingObject(finding_of(std::move(op), std::move(node), result, std::move(field),
                                                std::move(predicted), std::move(observed), witness, std::move(verdict),
                                                std::move(words), std::move(cause), std::move(source), std::move(args),
                                                std::move(repro), times));
          },
          nb::arg("op"), nb::arg("node"), nb::arg("result"), nb::arg("field"), nb::arg("predicted"),
          nb::arg("observed"), nb::arg("witness"), nb::arg("verdict"), nb::arg("words"), nb::arg("cause"),
          nb::arg("source"), nb::arg("args"), nb::arg("repro"), nb::arg("times") = 1)
      .def_prop_ro("op", text(&Finding::op), "The operator's canonical name, `aten.add.Tensor`.")
      .def_prop_ro("node", text(&Finding::node), "The call's name in its program; empty in a live run.")
      .def_prop_ro(
          "result", [](const FindingObject& f) { return f.finding.result; },
          "Index of the result, counted flat; -1: the call as a whole, or an argument.")
      .def_prop_ro("field", &FindingObject::field,
                   "`dtype`, `size`, `stride`, `offset`, `device`, `alias`, `mutation`, `error`, `unwritten`, "
                   "`undeclared_write`, ...")
      .def_prop_ro("predicted", text(&Finding::predicted),
                   "Answer of the rule, or of the fake; metadata in canonical spelling.")
      .def_prop_ro("observed", text(&Finding::observed), "Answer of the witness.")
      .def_prop_ro(
          "witness", [](const FindingObject& f) { return std::string(name(f.finding.witness)); },
          "The witness: `eager`, `kernel`, `record`, `device`, `declaration`.")
      .def_prop_ro("verdict", text(&Finding::verdict), "`significant`, or the problem in words.")
      .def_prop_ro("words", text(&Finding::words), "The difference in PyTorch's words; empty for other fields.")
      .def_prop_ro("cause", text(&Finding::cause),
                   "The author of the answer, the operand that decided, and the witness's evidence; empty if they are "
                   "not known.")
      .def_prop_ro("source", text(&Finding::source),
                   "The user's line: `train.py:12 in forward: y = mix(x)`; empty where it is not known.")
      .def_prop_ro(
          "args", [](const FindingObject& f) { return nb::tuple(nb::cast(f.finding.args)); },
          nb::sig("def args(self) -> tuple[str, ...]"), "The call's arguments in canonical spelling.")
      .def_prop_ro("repro", text(&Finding::repro),
                   "A call record or a program of text form that `ersatz crosscheck` takes, and that shows the finding "
                   "again; may be empty.")
      .def_prop_ro(
          "times", [](const FindingObject& f) { return f.times; }, "How often it was found at this place.")
      .def(
          "to_json", [](const FindingObject& f) { return dumped(to_json(f), -1); },
          "The finding as an object of JSON, with the keys that it has in reports.")
      .def_static("from_json", &finding_from, nb::arg("json"), nb::arg("times") = 1,
                  "The finding that is written so in a report.")
      .def("__str__", [](const FindingObject& f) { return to_string(f.finding); })
      .def("__repr__",
           [](nb::handle self) {
             return fmt::format("<{}: {}>", nb::cast<std::string>(self.type().attr("__name__")), nb::str(self).c_str());
           })
      .def(
          "__eq__",
          [](nb::handle self, nb::handle other) -> nb::object {
            if (!self.type().is(other.type())) return nb::borrow(Py_NotImplemented);
            return nb::bool_(state_of(self).equal(state_of(other)));
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](nb::handle self) { return nb::hash(state_of(self)[0]); })
      .def("__getstate__", &state_of)
      .def("__setstate__", [](FindingObject& self, const nb::tuple& state) {
        new (&self) FindingObject(finding_from(nb::cast<std::string>(state[0]), nb::cast<int64_t>(state[1])));
        if (!state[2].is_none()) nb::find(self).attr("__dict__").attr("update")(state[2]);
      });
}

}  // namespace

const std::string& ReportObject::Form::get() {
  if (make) {
    made = make();
    make = nullptr;
  }
  return made;
}

ReportObject::ReportObject(ReportParts parts)
    : data_(std::move(parts.document.data)), report_(std::move(parts.report)), text_(tools::plain(parts.document)) {
  json_.make = [data = data_, indent = parts.indent] { return dumped(data, indent); };
  page_.make = std::move(parts.document.page);
  keep_findings(parts.times);
}

ReportObject::ReportObject(std::string json, std::string text, Text page) : text_(std::move(text)) {
  try {
    data_ = Json::parse(json);
    report_ = tools::report_from_json(data_, false);
    for (const char* key : {"input", "device", "status"}) word(key);
    keep_findings(data_.value("times", std::vector<int64_t>()));
  } catch (const nlohmann::json::exception& e) {
    fail_argument("no JSON report of a crosscheck: {}", e.what());
  }
  json_.made = std::move(json);
  page_.make = std::move(page);
}

void ReportObject::keep_findings(const std::vector<int64_t>& times) {
  const size_t n = report_.findings.size();
  if (!times.empty() && times.size() != n)
    fail_argument("{}, and how often {} of them were made", count_of(static_cast<int64_t>(n), "finding"), times.size());
  nb::list all;
  for (size_t i = 0; i < n; ++i) {
    all.append(nb::cast(FindingObject{report_.findings[i], "", times.empty() ? 1 : times[i]}));
  }
  findings_ = nb::tuple(all);
}

std::map<std::string, int64_t> ReportObject::skipped() const {
  std::map<std::string, int64_t> counts;
  for (const auto& [why, n] : data_.at("skipped").items()) {
    if (n.get<int64_t>() != 0) counts[why] = n.get<int64_t>();
  }
  return counts;
}

std::map<std::string, int64_t> ReportObject::own_unjudged() const {
  std::map<std::string, int64_t> calls;
  for (const auto& [op, u] : report_.own.unjudged) calls[op] = u.calls;
  return calls;
}

std::map<std::string, std::map<std::string, int64_t>> ReportObject::skipped_calls() const {
  return data_.value("skipped_calls", std::map<std::string, std::map<std::string, int64_t>>());
}

std::string ReportObject::closing() const {
  const size_t end = text_.find_last_not_of('\n') + 1;
  const size_t line = text_.rfind('\n', end == 0 ? 0 : end - 1);
  return text_.substr(line == text_.npos ? 0 : line + 1, end - (line == text_.npos ? 0 : line + 1));
}

const std::string& ReportObject::json() const { return json_.get(); }
const std::string& ReportObject::page() const { return page_.get(); }

void bind_reports(nb::module_& m) {
  bind_finding(m);
  m.def(
      "why_not_clean",
      [](int64_t compared, const std::map<std::string, int64_t>& unjudged) {
        OwnCalls own;
        for (const auto& [op, calls] : unjudged) own.unjudged[op].calls = calls;
        return why_not_clean(compared, own);
      },
      nb::arg("compared"), nb::arg("unjudged"),
      "Returns why a run without findings is not clean, as its closing line has it; empty if it is clean. `unjudged`: "
      "calls of the user's own operators that nothing judged, by operator.");
  const auto count = [](int64_t Report::*member) {
    return [member](const ReportObject& r) { return r.report().*member; };
  };
  const auto word = [](const char* key) { return [key](const ReportObject& r) { return r.word(key); }; };
  nb::class_<ReportObject>(m, "Report", "A report: compared results, differences, and skipped results.")
      .def(nb::init<const ReportObject&>(), nb::arg("report"))
      .def(
          "__init__",
          [](ReportObject* self, std::string json, std::string text, ReportObject::Text page) {
            new (self) ReportObject(std::move(json), std::move(text), std::move(page));
          },
          nb::arg("json"), nb::arg("text"), nb::arg("page"))
      .def_prop_ro("input", word("input"), "The checked input: a path, or a name for the live run.")
      .def_prop_ro("device", word("device"))
      .def_prop_ro(
          "status", word("status"),
          "`clean`, `findings`, or `unjudged`: nothing was found, and nothing was compared or something of the "
          "user's own was not judged; `unusable` where operators are missing, `bug` where ersatz is at fault.")
      .def_prop_ro("nodes", count(&Report::nodes), "Calls that were seen and judged.")
      .def_prop_ro("results", count(&Report::results),
                   "Tensors and numbers that they returned: those compared and those skipped.")
      .def_prop_ro("compared", count(&Report::compared))
      .def_prop_ro("mismatched", count(&Report::mismatched), "Number of compared results that differ.")
      .def_prop_ro("cosmetic", count(&Report::cosmetic),
                   "Number of compared results with strides that differ without effect.")
      .def_prop_ro("waived", count(&Report::waived))
      .def_prop_ro("values_compared", count(&Report::values_compared), "Results whose values were compared too.")
      .def_prop_ro("skipped", &ReportObject::skipped,
                   "Results that were not compared, by reason: `unsupported`, `data_dependent`, `random`, `tainted`, "
                   "`unwitnessed`, ...")
      .def_prop_ro(
          "own_judged", [](const ReportObject& r) { return r.report().own.judged; },
          "Calls of operators that ersatz has no rule of, compared with what their own fake kernels predict.")
      .def_prop_ro("own_unjudged", &ReportObject::own_unjudged,
                   "Calls of the user's own operators that nothing judged, by operator.")
      .def_prop_ro("skipped_calls", &ReportObject::skipped_calls,
                   "Calls of a live run that were not compared, by reason in words (`sparse layout`) and by operator.")
      .def_prop_ro("findings", &ReportObject::findings, nb::sig("def findings(self) -> tuple[Finding, ...]"))
      .def_prop_ro("text", &ReportObject::text, "The report as text; its last line is `closing_line`.")
      .def_prop_ro("json", &ReportObject::json, "The report that `ersatz crosscheck --json` writes.")
      .def_prop_ro("html", &ReportObject::page, "The report as one page that needs no network and no script.")
      .def_prop_ro("closing_line", &ReportObject::closing,
                   "`crosscheck: 1284 compared, 0 mismatched, 12 skipped (unsupported 9, random 3)`.");
}

}  // namespace ersatz::python

// ersatz.torch.propagate: gets the calls of a live model's runs one by one, and returns their report.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/module/propagation.h"
#include "tools/answer/command_answer.h"
#include "tools/output/html_page.h"
#include "tools/propagate/live_runs.h"
#include "tools/propagate/propagate_report.h"

namespace ersatz::python {
namespace {

using tools::LiveRuns;
using Site = LiveRuns::Site;
using Texts = std::vector<std::string>;

/// The report on several runs of a model, and the facts that its lines show.
struct PropagateAnswer {
  tools::PropagateSummary summary;
  tools::Document document;
};

PropagateAnswer answer_of(const LiveRuns& runs, const std::string& input) {
  PropagateAnswer answer{runs.sum_up(), {}};
  const auto status = answer.summary.clean() ? tools::ExitStatus::Clean : tools::ExitStatus::Findings;
  answer.document =
      tools::propagate_report(input, answer.summary, tools::report_envelope("propagate", input, "live", status));
  return answer;
}

LiveRuns::Source source_of(Site point, std::optional<Site> taker) { return {point, taker}; }

void bind_answer(nb::module_& m) {
  using tools::DataPoint;
  using tools::SummedFinding;
  nb::class_<DataPoint>(m, "PropagatePoint", "A call that reads data, or whose results have a size that data decides.")
      .def_ro("op", &DataPoint::op)
      .def_ro("at", &DataPoint::at)
      .def_ro("dim", &DataPoint::dim)
      .def_ro("dependents", &DataPoint::dependents)
      .def_ro("outputs", &DataPoint::outputs)
      .def_ro("name", &DataPoint::expression)
      .def("seen", &tools::values_text);
  nb::class_<SummedFinding>(m, "PropagateFound", "A finding, and the runs that have it.")
      .def_prop_ro("field", [](const SummedFinding& f) { return std::string(name(f.finding.field)); })
      .def_prop_ro("op", [](const SummedFinding& f) { return f.finding.op; })
      .def_prop_ro("at", [](const SummedFinding& f) { return f.finding.at; })
      .def_prop_ro("message", [](const SummedFinding& f) { return f.finding.message; })
      .def_prop_ro("more", [](const SummedFinding& f) { return f.finding.more; })
      .def_prop_ro("takes", [](const SummedFinding& f) { return f.finding.takes; })
      .def_ro("runs", &SummedFinding::runs)
      .def(
          "text", [](const SummedFinding& f, size_t runs) { return tools::plain(tools::finding_text(f, runs)); },
          nb::arg("runs"), "The text that the report on so many runs prints.");
  nb::class_<PropagateAnswer>(m, "PropagateAnswer", "A report on several runs of a model.")
      .def_prop_ro("points", [](const PropagateAnswer& a) { return a.summary.points; })
      .def_prop_ro("findings", [](const PropagateAnswer& a) { return a.summary.findings; })
      .def_prop_ro("seen",
                   [](const PropagateAnswer& a) {
                     Texts texts;
                     for (const tools::SeenFact& f : a.summary.seen) texts.push_back(f.text);
                     return texts;
                   })
      .def_prop_ro("remarks", [](const PropagateAnswer& a) { return a.summary.remarks; })
      .def_prop_ro("closing_line", [](const PropagateAnswer& a) { return a.document.closing; })
      .def_prop_ro("text", [](const PropagateAnswer& a) { return tools::plain(a.document); })
      .def_prop_ro("json", [](const PropagateAnswer& a) { return tools::json_text(a.document); })
      .def_prop_ro("page", [](const PropagateAnswer& a) { return tools::document_page(a.document); });
}

}  // namespace

void bind_propagation(nb::module_& m) {
  bind_answer(m);
  nb::class_<LiveRuns>(m, "PropagateRuns", "Runs of a live model, recorded call by call. A site is a call in its text.")
      .def(nb::init<>())
      .def(
          "add_site",
          [](LiveRuns& r, std::string op, std::string at, std::string place) {
            return r.add_site({std::move(op), std::move(at), std::move(place)});
          },
          nb::arg("op"), nb::arg("at"), nb::arg("place"), "A number for the call.")
      .def("begin", &LiveRuns::begin, nb::arg("note"))
      .def("add_point", &LiveRuns::add_point, nb::arg("site"), nb::arg("dim").none(), nb::arg("name"), nb::arg("scope"))
      .def(
          "saw",
          [](LiveRuns& r, Site site, std::string text, std::optional<int64_t> integer) {
            r.saw(site, {std::move(text), integer, {}});
          },
          nb::arg("site"), nb::arg("text"), nb::arg("integer") = nb::none())
      .def(
          "depends",
          [](LiveRuns& r, Site point, std::optional<Site> taker, Site site) {
            r.depends(source_of(point, taker), site);
          },
          nb::arg("point"), nb::arg("taker").none(), nb::arg("site"))
      .def("takes", &LiveRuns::takes, nb::arg("site"), nb::arg("integers"))
      .def(
          "output",
          [](LiveRuns& r, Site point, std::optional<Site> taker, const std::string& name) {
            r.output(source_of(point, taker), name);
          },
          nb::arg("point"), nb::arg("taker").none(), nb::arg("name"))
      .def(
          "made",
          [](LiveRuns& r, Site site, bool nan, int64_t count, int64_t elements, std::string first, std::string what,
             bool from_inf, bool asked, Texts takes) {
            r.made(site, {nan, count, elements, std::move(what), std::move(first), from_inf}, asked, std::move(takes));
          },
          nb::arg("site"), nb::kw_only(), nb::arg("nan"), nb::arg("count"), nb::arg("elements"), nb::arg("first"),
          nb::arg("what"), nb::arg("from_inf"), nb::arg("asked"), nb::arg("takes"), "The call made NaN or Inf.")
      .def("stopped", &LiveRuns::stopped, nb::arg("site").none(), nb::arg("message"))
      .def("remark", &LiveRuns::remark, nb::arg("text"))
      .def("end", &LiveRuns::end, nb::arg("calls"), nb::arg("results"))
      .def("answer", &answer_of, nb::arg("input"), "The report on all runs.");
}

}  // namespace ersatz::python

// ersatz.load and ersatz.crosscheck return the answers of the commands as objects.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/module/interrupts.h"
#include "python/module/report_object.h"
#include "tools/answer/crosscheck_answer.h"
#include "tools/answer/fake_answer.h"
#include "tools/answer/program_text.h"
#include "tools/answer/run_options.h"
#include "tools/output/progress.h"
#include "tools/program/program_input.h"
#include "tools/report/node_table.h"

namespace ersatz::python {
namespace {

using Texts = std::vector<std::string>;

std::string dumped(const nlohmann::ordered_json& json) {
  // Names come from files, so invalid UTF-8 is replaced instead of raising.
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Runs long work for Python: shows no progress on stderr, releases the GIL, and can be ended by Ctrl-C.
template <class F>
auto quietly(F&& work) {
  tools::silence_progress(true);
  return interruptible(std::forward<F>(work));
}

tools::CrosscheckAnswer crosscheck(const std::string& path, const std::string& device, const std::string& backend,
                                   const std::string& reference, const std::string& inputs, const std::string& expect,
                                   const std::string& facts, uint64_t seed, bool no_real, bool keep_going,
                                   bool no_bytes, bool descend, const std::string& waivers,
                                   const std::string& known_wrong, const std::string& today, int sizes,
                                   const Texts& dynamic, bool symbolic, const Texts& only, const Texts& ids,
                                   int64_t limit, int jobs, const std::string& repros, const Texts& plugins,
                                   const std::optional<std::string>& text) {
  std::optional<tools::HeldText> held;
  if (text) held.emplace(path, *text);
  tools::CrosscheckRequest r;
  r.input = path;
  r.waivers = waivers;
  r.known_wrong = known_wrong;
  r.today = today;
  r.repros = repros;
  r.plugins = plugins;
  r.dynamic = dynamic;
  r.sizes = sizes;
  r.run.inputs = inputs;
  r.run.expect = expect;
  r.run.facts = facts;
  r.run.seed = seed;
  r.run.no_real = no_real;
  r.run.bytes = !no_bytes;
  r.run.keep_going = keep_going;
  r.run.descend = descend;
  r.calls.symbolic = symbolic;
  r.calls.only = only;
  r.calls.ids = ids;
  r.calls.limit = limit;
  r.calls.jobs = jobs;
  r.run_texts = {device, backend, reference};
  r.all_repros = r.whole_text = r.page = true;
  return quietly([&] { return tools::answer_crosscheck(std::move(r)); });
}

tools::FakeAnswer fake(const std::string& path, const std::string& device, const std::string& backend,
                       const std::string& fallback, bool keep_going, bool fixed, int cases, const Texts& dynamic,
                       const Texts& rules, const Texts& plugins) {
  tools::FakeRequest r;
  r.program = path;
  r.run.fallback = tools::fallback_option(fallback);
  r.device = device;
  r.backend = backend;
  r.run.keep_going = keep_going;
  r.fixed = fixed;
  r.cases = cases;
  r.dynamic = dynamic;
  r.rules = rules;
  r.plugins = plugins;
  tools::FakeAnswer answer = quietly([&] { return tools::answer_fake(r); });
  if (answer.stopped) throw *answer.stopped;
  return answer;
}

/// A program that was loaded from a file.
struct LoadedProgram {
  std::shared_ptr<const tools::ProgramInput> input;
};

void bind_answers(nb::module_& m) {
  nb::class_<tools::CommandAnswer>(m, "CommandAnswer", "The answer of a command, in each form.")
      .def_prop_ro(
          "status", [](const tools::CommandAnswer& a) { return tools::name(a.status); }, "'clean', 'findings', ...")
      .def_prop_ro(
          "text", [](const tools::CommandAnswer& a) { return tools::plain(a.document); },
          "The answer as the command prints it.")
      .def_prop_ro(
          "json", [](const tools::CommandAnswer& a) { return tools::json_text(a.document); },
          "The answer as --json writes it.");
  nb::class_<tools::CrosscheckAnswer, tools::CommandAnswer>(m, "CrosscheckAnswer", "The answer of `ersatz crosscheck`.")
      .def(
          "report",
          [](const tools::CrosscheckAnswer& a) {
            return ReportObject({a.document, a.report, a.times});
          },
          "The report, as a value.");
  nb::class_<tools::FakeAnswer, tools::CommandAnswer>(m, "FakeAnswer", "The answer of `ersatz fake`.");
  const auto text = [](const char* name) { return nb::arg(name) = ""; };
  m.def("crosscheck", &crosscheck, nb::arg("path"), nb::kw_only(), text("device"), text("backend"), text("reference"),
        text("inputs"), text("expect"), text("facts"), nb::arg("seed") = 0, nb::arg("no_real") = false,
        nb::arg("keep_going") = false, nb::arg("no_bytes") = false, nb::arg("descend") = false, text("waivers"),
        text("known_wrong"), text("today"), nb::arg("sizes") = 0, nb::arg("dynamic") = Texts(),
        nb::arg("symbolic") = false, nb::arg("only") = Texts(), nb::arg("ids") = Texts(), nb::arg("limit") = -1,
        nb::arg("jobs") = 0, text("repros"), nb::arg("plugins") = Texts(), nb::arg("text") = nb::none(),
        "`ersatz crosscheck`: its answer. `text`: what a file of the name `path` would have, a text with graphs.");
  m.def("run_fake", &fake, nb::arg("path"), nb::kw_only(), text("device"), text("backend"),
        nb::arg("fallback") = "rule", nb::arg("keep_going") = false, nb::arg("fixed") = false, nb::arg("cases") = 8,
        nb::arg("dynamic") = Texts(), nb::arg("rules") = Texts(), nb::arg("plugins") = Texts(),
        "`ersatz fake`: its answer.");
}

}  // namespace

void bind_programs(nb::module_& m) {
  bind_answers(m);
  nb::class_<LoadedProgram>(m, "LoadedProgram", "A program that was read from a file.")
      .def(
          "show",
          [](const LoadedProgram& p, bool table, bool python, bool inline_values) {
            return tools::program_text(p.input->program, {table, python, inline_values});
          },
          nb::kw_only(), nb::arg("table") = false, nb::arg("python") = false, nb::arg("inline_values") = false,
          "The text that `ersatz show` prints.")
      .def(
          "rows", [](const LoadedProgram& p) { return dumped(tools::node_table(p.input->program).data["rows"]); },
          "Inputs, nodes and outputs as JSON, as `ersatz show --table --json` writes them.");
  m.def(
      "holds_graphs",
      [](const std::string& path) {
        return quietly([&] { return tools::pasted_text(pasted::graph_address(path).file) != nullptr; });
      },
      nb::arg("path"),
      "Is it a text with printed graphs, like fx_graph_runnable.py? It is read, and nothing of it is run.");
  m.def(
      "load",
      [](const std::string& path) {
        return LoadedProgram{
            quietly([&] { return std::make_shared<const tools::ProgramInput>(tools::load_input(path, 0)); })};
      },
      nb::arg("path"), "Reads a program.");
}

}  // namespace ersatz::python

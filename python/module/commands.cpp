// Runs ersatz's command line in this process.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <csignal>
#include <iostream>
#include <nlohmann/json.hpp>

#include "python/module/module.h"
#include "tools/command/command.h"
#include "tools/output/ci_formats.h"
#include "tools/output/crash_note.h"
#include "tools/output/html_page.h"
#include "tools/output/interrupt.h"

namespace ersatz::python {
namespace {

using tools::Document;

void bind_document(nb::module_& m) {
  nb::class_<Document>(m, "Document", "A report in lines, each of its kind, as the commands make theirs.")
      .def(nb::init<>())
      .def(
          "add", [](Document& d, const std::string& text) { d.add(Document(text)); }, nb::arg("text"),
          "The lines of a text; the last one heads those that follow it below.")
      .def(
          "add_below", [](Document& d, const std::string& text) { d.add(Document::Kind::Below, text); },
          nb::arg("text"), "A line below, with two spaces in front.")
      .def(
          "add_term", [](Document& d, const std::string& name, const std::string& says) { d.add_term(name, says); },
          nb::arg("name"), nb::arg("says"), "`  name: says`.")
      .def(
          "add_code", [](Document& d, const std::string& text) { d.add_code(text); }, nb::arg("text"),
          "Each line with four spaces in front.")
      .def(
          "add_text", [](Document& d, const std::string& text) { d.add_code(text, Document::Kind::Program); },
          nb::arg("text"), "A text that keeps its columns, as it is.")
      .def_rw("closing", &Document::closing, "The last line, which sums up.")
      .def(
          "text", [](const Document& d) { return tools::plain(d); }, "The report as text.")
      .def(
          "page",
          [](Document& d, const std::string& command, const std::string& status) {
            d.data = {{"command", command}, {"status", status}};
            return tools::document_page(d);
          },
          nb::arg("command"), nb::arg("status"), "The report as `ersatz COMMAND --format html` writes it.");
}

}  // namespace

void bind_commands(nb::module_& m) {
  m.def(
      "run_command",
      [](const std::vector<std::string>& arguments) {
        std::vector<const char*> argv{"ersatz"};
        for (const std::string& a : arguments) argv.push_back(a.c_str());
        const nb::gil_scoped_release released;
        const int status = tools::run_command_line(static_cast<int>(argv.size()), argv.data());
        std::cout.flush();  // flushed, so that it precedes Python's own output
        return status;
      },
      nb::arg("arguments"), "Runs a command as `ersatz ARGUMENTS...` does, with its output; returns its exit status.");
  m.def(
      "report_as",
      [](const std::string& json, const std::string& form) {
        const auto report = nlohmann::ordered_json::parse(json);
        return form == "junit" ? tools::junit_text(report) : tools::sarif_text(report);
      },
      nb::arg("json"), nb::arg("form"),
      "A report in JSON, in one of the forms that CI systems read: `sarif` or `junit`, as `ersatz crosscheck --format` "
      "writes them.");
  bind_document(m);
  m.def(
      "watch_signals",
      [] {
        // The process only runs this command, so signals are handled as in tools/command/main.cpp.
        tools::CrashNote::watch();
        if (std::signal(SIGINT, SIG_DFL) == SIG_IGN)
          std::signal(SIGINT, SIG_IGN);  // `nohup` has made the process ignore SIGINT, so it still does
        tools::watch_interrupts();
        std::signal(SIGXFSZ, SIG_IGN);
        std::signal(SIGPIPE, SIG_DFL);
      },
      "Takes signals over from Python, as the program has them: the first SIGINT ends a command with what it has "
      "found, "
      "the second one the process.");
}

}  // namespace ersatz::python

// The command line of ersatz, in this process.
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

void bind_commands(nb::module_& m) {
  m.def(
      "run_command",
      [](const std::vector<std::string>& arguments) {
        std::vector<const char*> argv{"ersatz"};
        for (const std::string& a : arguments) argv.push_back(a.c_str());
        const nb::gil_scoped_release released;
        const int status = tools::run_command_line(static_cast<int>(argv.size()), argv.data());
        std::cout.flush();  // before what Python prints behind it
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
  m.def(
      "text_page",
      [](const std::string& text, const std::string& closing_line, const std::string& command,
         const std::string& status) {
        tools::Document document = text;
        document.closing = closing_line;
        return tools::document_page(document, command, status);
      },
      nb::arg("text"), nb::arg("closing_line"), nb::arg("command"), nb::arg("status"),
      "A report's text and its closing line as a page, as `ersatz COMMAND --format html` writes it.");
  m.def(
      "watch_signals",
      [] {
        // As tools/command/main.cpp does, for a process that is nothing else than the program.
        tools::CrashNote::watch();
        if (std::signal(SIGINT, SIG_DFL) == SIG_IGN) std::signal(SIGINT, SIG_IGN);  // by `nohup`; it stays so
        tools::watch_interrupts();
        std::signal(SIGXFSZ, SIG_IGN);
        std::signal(SIGPIPE, SIG_DFL);
      },
      "Takes signals over from Python, as the program has them: the first SIGINT ends a command with what it has "
      "found, "
      "the second one the process.");
}

}  // namespace ersatz::python

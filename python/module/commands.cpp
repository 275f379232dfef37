// The command line of ersatz, in this process.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <csignal>

#include "python/module/module.h"
#include "tools/command/command.h"
#include "tools/output/crash_note.h"
#include "tools/output/interrupt.h"

namespace ersatz::python {

void bind_commands(nb::module_& m) {
  m.def(
      "run_command",
      [](const std::vector<std::string>& arguments) {
        std::vector<const char*> argv{"ersatz"};
        for (const std::string& a : arguments) argv.push_back(a.c_str());
        const nb::gil_scoped_release released;
        return tools::run_command_line(static_cast<int>(argv.size()), argv.data());
      },
      nb::arg("arguments"), "Runs a command as `ersatz ARGUMENTS...` does, with its output; returns its exit status.");
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

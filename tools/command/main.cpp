#include <csignal>

#include "tools/command/command.h"
#include "tools/output/crash_note.h"
#include "tools/output/interrupt.h"

int main(int argc, char** argv) {
  ersatz::tools::CrashNote::watch();
  ersatz::tools::watch_interrupts();
  // With SIGXFSZ ignored, a write beyond `ulimit -f` fails with an error message, and the partial file is removed.
  std::signal(SIGXFSZ, SIG_IGN);
  return ersatz::tools::run_command_line(argc, argv);
}

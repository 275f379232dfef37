#include <csignal>

#include "tools/command/command.h"
#include "tools/output/crash_note.h"
#include "tools/output/interrupt.h"

int main(int argc, char** argv) {
  ersatz::tools::CrashNote::watch();
  ersatz::tools::watch_interrupts();
  // A file that grows beyond `ulimit -f` is then a failed write with a message, and no part of it is left.
  std::signal(SIGXFSZ, SIG_IGN);
  return ersatz::tools::run_command_line(argc, argv);
}

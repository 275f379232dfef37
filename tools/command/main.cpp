#include "tools/command/command.h"
#include "tools/output/crash_note.h"
#include "tools/output/interrupt.h"

int main(int argc, char** argv) {
  ersatz::tools::CrashNote::watch();
  ersatz::tools::watch_interrupts();
  return ersatz::tools::run_command_line(argc, argv);
}

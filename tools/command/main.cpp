#include "tools/command/command.h"
#include "tools/output/crash_note.h"

int main(int argc, char** argv) {
  ersatz::tools::CrashNote::watch();
  return ersatz::tools::run_command_line(argc, argv);
}

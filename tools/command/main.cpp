#include "tools/command/command.h"

int main(int argc, char** argv) { return ersatz::tools::run_command_line(argc, argv); }

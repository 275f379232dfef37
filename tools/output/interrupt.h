// Ctrl-C ends the work early, and the command reports its findings up to then.
//
// The first SIGINT is only noted. A loop calls `interrupted()` between two pieces of work, and stops if it returns
// true. The command then reports the finished pieces, and `run_command_line` returns ExitStatus::Interrupted. The
// second SIGINT ends the program at once.
#pragma once

#include <memory>
#include <string_view>

namespace ersatz::tools {

/// Installs the SIGINT handler. Only `main` calls it. If it was not called, SIGINT ends the process and `interrupted()`
/// is always false. A forked child inherits the handler; a program started by exec does not.
void watch_interrupts();

/// Notes SIGINT while the scope exists. It is for a process whose own handler would wait until the work is done, like a
/// Python interpreter. The destructor restores that handler and resets `interrupted()`. REQUIRES: no other scope
/// exists, and watch_interrupts was not called. If SIGINT is ignored or ends the process, the scope does nothing.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  struct Handler;
  std::unique_ptr<Handler> before_;
};

/// True if a SIGINT was noted. Any thread may call it; it costs one load.
bool interrupted();

/// Thrown by work that is useless unless finished (loading a program). `run_command_line` then prints a line on the
/// ended work and returns ExitStatus::Interrupted. It is not derived from std::exception, so that no handler takes it
/// for a failure.
struct Interruption {
  std::string_view during;  ///< the work that was ended, as static text: `while a program was being loaded`
};
/// Throws Interruption if a SIGINT was noted. `during` is Interruption::during.
void stop_if_interrupted(std::string_view during);

}  // namespace ersatz::tools

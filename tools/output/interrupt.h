// Ctrl-C ends the work early, and the command reports its findings up to then.
//
// The first SIGINT is only noted. A loop tests `interrupted()` between two pieces of work, and stops if it is true. The
// command then reports the finished pieces, and `run_command_line` ends with ExitStatus::Interrupted. The second SIGINT
// ends the program at once.
#pragma once

#include <memory>
#include <string_view>

namespace ersatz::tools {

/// Installs the SIGINT handler. Called once, by `main`. Without it, SIGINT ends the process, and `interrupted()` is
/// always false. A forked child inherits the handler; an executed program does not.
void watch_interrupts();

/// Notes SIGINT during one piece of work, in a process whose own handler would wait until the work is done, like a
/// Python interpreter's. The destructor restores that handler and resets `interrupted()`. Only one scope may exist in a
/// process, and no watch_interrupts. If SIGINT is ignored or ends the process, the scope does nothing.
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

/// True if a SIGINT was noted. Costs one load; for any thread.
bool interrupted();

/// Thrown by work whose parts are useless alone (loading a program). `run_command_line` then prints one line on the
/// ended work and returns ExitStatus::Interrupted. It is no std::exception, so that nothing handles it as a failure.
struct Interruption {
  std::string_view during;  ///< static text: `while a program was being loaded`
};
/// Throws Interruption if a SIGINT was noted.
void stop_if_interrupted(std::string_view during);

}  // namespace ersatz::tools

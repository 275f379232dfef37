// Ctrl-C, as people mean it: stop, and say what was found so far.
//
// The first SIGINT is only noted. A loop over work asks `interrupted()` between two pieces of work and leaves off when
// it says so; the command then reports what is whole, and `run_command_line` ends with ExitStatus::Interrupted whatever
// the report says. The second SIGINT ends the program at once, as without a watch.
#pragma once

#include <memory>
#include <string_view>

namespace ersatz::tools {

/// Watches for SIGINT from now on. Called once, by `main`: in a process that has not called it, SIGINT ends the process
/// and `interrupted()` stays false. A child that is forked inherits the watch, one that is executed does not.
void watch_interrupts();

/// The same for one piece of work in a process whose own handler of SIGINT waits until that work is done, as an
/// interpreter's does. At its end that handler is back, and `interrupted()` false. One at a time in a process, and none
/// beside `watch_interrupts`; where SIGINT is ignored or ends the process, it does nothing.
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

/// Was a SIGINT seen? Costs one load; any thread may ask.
bool interrupted();

/// Raised by work of which no part is of use alone (a program that is being loaded): `run_command_line` prints one line
/// that says what was left off, and ends with ExitStatus::Interrupted. No std::exception, so that it is not taken for a
/// failure of the work.
struct Interruption {
  std::string_view during;  ///< in words, static: `while a program was being loaded`
};
/// Raises Interruption where a SIGINT was seen.
void stop_if_interrupted(std::string_view during);

}  // namespace ersatz::tools

#include "tools/output/crash_note.h"

#include <csignal>
#include <cstring>

#include <unistd.h>

namespace ersatz::tools {

namespace {

constexpr size_t kLongestNote = 240;
thread_local constinit char t_note[kLongestNote + 2] = {};

void say(const char* text, size_t n) {
  if (::write(STDERR_FILENO, text, n) < 0) return;  // there is no way to report the failure
}

/// Prints the note and raises the signal again. This ends the program, because the signal's default action has been
/// restored. Calls only functions that a signal handler may call.
void on_crash(int signal) {
  if (const size_t n = std::strlen(t_note)) {
    constexpr char kWords[] = "ersatz: crashed in ";
    say(kWords, sizeof(kWords) - 1);
    t_note[n] = '\n';
    say(t_note, n + 1);
  }
  ::raise(signal);
}

bool install() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = on_crash;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    ::sigaction(signal, &action, nullptr);
  }
  return true;
}

}  // namespace

void CrashNote::watch() {
  static const bool installed = install();
  (void)installed;
}

CrashNote::CrashNote(std::initializer_list<std::string_view> pieces) {
  watch();
  size_t n = 0;
  for (std::string_view piece : pieces) n += piece.copy(t_note + n, kLongestNote - n);
  t_note[n] = '\0';
}

CrashNote::~CrashNote() { t_note[0] = '\0'; }

}  // namespace ersatz::tools

// Functions that start processes. A page has no processes, so each call fails with ENOSYS, as on a system without that
// call.
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

namespace {
int absent() {
  errno = ENOSYS;
  return -1;
}
}  // namespace

extern "C" {

pid_t fork() { return absent(); }
int memfd_create(const char*, unsigned) { return absent(); }
int pipe2(int*, int) { return absent(); }
int prctl(int, ...) { return absent(); }
const char* sigabbrev_np(int) { return nullptr; }
}

// Where a debugged run puts what it leaves: `ROOT/run_2027_01_31_09_05_00_000042-pid_4711`.
#pragma once

#include <memory>
#include <string>

namespace ersatz::tools {

/// One folder a process and root; it is not made here.
std::string debug_directory(const std::string& root);

/// While it lives, the log (runtime/base/log.h) is written to a file too, all levels of it; what goes to stderr stays
/// as ERSATZ_LOG says. Folders are made. InvalidArgument where the file cannot be.
class LogFile {
 public:
  explicit LogFile(const std::string& path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

 private:
  struct Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace ersatz::tools

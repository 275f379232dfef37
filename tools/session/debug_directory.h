// The folder of a run's debug files: `ROOT/run_2027_01_31_09_05_00_000042-pid_4711`.
#pragma once

#include <memory>
#include <string>

namespace ersatz::tools {

/// Returns the folder's path. Each process has its own folder in each root. The folder is not created.
std::string debug_directory(const std::string& root);

/// While the object exists, log messages of all levels (runtime/base/log.h) are written to a file too. The level for
/// stderr remains that of ERSATZ_LOG. Creates missing folders. RAISES InvalidArgument if the file cannot be written.
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

// Writes a command's report to stdout or to a file. After a failure the file is unchanged.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// True if the path is empty or `-`, which means stdout.
bool is_stdout(const std::string& path);

/// Writes the report to stdout or to a file. A file is written under a temporary name and renamed when all bytes are on
/// the disk, so that a full disk does not damage an older file. RAISES InvalidArgument, with path and reason, if
/// writing fails.
void write_report(std::string_view report, const std::string& path);

/// Tests whether the folder of `path` exists and is writable. It is called before long work. RAISES InvalidArgument if
/// the folder is not writable.
void require_writable(const std::string& path);

}  // namespace ersatz::tools

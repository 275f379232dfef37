// Writes a command's report to stdout, or to a file that is complete or untouched.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// True if the path is empty or `-`.
bool is_stdout(const std::string& path);

/// Writes the report to stdout or to a file. A file is written under a temporary name and renamed when all bytes are on
/// the disk, so a full disk does not damage an older file. RAISES InvalidArgument with path and reason.
void write_report(std::string_view report, const std::string& path);

/// Tests before long work that the folder of `path` exists and is writable. RAISES like write_report.
void require_writable(const std::string& path);

}  // namespace ersatz::tools

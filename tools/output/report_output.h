// Where a command's report goes: stdout, or a file that is written whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// No path, or `-`.
bool is_stdout(const std::string& path);

/// Writes the report: to stdout, or to a file. A file is written beside its place and renamed when all bytes are on the
/// disk, so a full disk leaves what was there. Raises Error (InvalidArgument) naming path and reason.
void write_report(std::string_view report, const std::string& path);

/// Checks early that `path` can be written, before long work: its folder exists and is writable. Raises like
/// write_report.
void require_writable(const std::string& path);

}  // namespace ersatz::tools

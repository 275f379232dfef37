// Opens and reads input files, including those that can be read only once.
//
// `-` and /dev/stdin are the standard input. The standard input, a pipe and `<(command)` can be read only once.
// `open_input` reads them to their end and keeps their bytes in memory until the process ends, so they can be opened
// again. A file that is named `-` must be given as `./-`.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace ersatz {

/// A longer file is not read into memory as a whole.
inline constexpr uint64_t kMaxFileBytes = uint64_t(8) << 30;

struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using InputFile = std::unique_ptr<std::FILE, CloseFile>;

/// Opens `path` for reading at its beginning. Raises InvalidArgument with the path and the reason, also for a folder.
InputFile open_input(const std::string& path);

/// Returns the first bytes of a file, at most `most`. The default is enough to recognize most formats. Returns an empty
/// string if the file cannot be opened; `open_input` then raises with the reason.
std::string read_head(const std::string& path, size_t most = 4096);

/// Returns at most `most` bytes from offset `begin` on, fewer if the file ends before. Raises like `open_input`.
std::string read_part(const std::string& path, uint64_t begin, uint64_t most);

/// Returns whether `path` is the standard input, a pipe or a socket. Other programs cannot open these by the path
/// again, and no companion files exist in their folder.
bool is_stream(const std::string& path);

/// Returns the file's size in bytes, nullopt if it is unknown or 0. Reads a stream to its end.
std::optional<uint64_t> input_size(const std::string& path);

}  // namespace ersatz

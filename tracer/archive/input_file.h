// Opens and reads input files, including streams that can be read only once.
//
// `-` and /dev/stdin are the standard input. The standard input, a pipe and `<(command)` can be read only once.
// `open_input` reads a stream to its end and keeps its bytes in memory until the process ends, so that the path can be
// opened again. A file whose name is `-` must be given as `./-`.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace ersatz {

/// The largest file, in bytes, that may be read into memory as a whole.
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

/// Returns whether `path` is the standard input, a pipe or a socket. If so, no other program can open the path, and its
/// folder has no files that belong to it.
bool is_stream(const std::string& path);

/// Returns the file's size in bytes; nullopt if it is unknown or 0. If the file is a stream, reads it to its end.
std::optional<uint64_t> input_size(const std::string& path);

}  // namespace ersatz

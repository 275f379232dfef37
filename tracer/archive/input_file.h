// Files that are read, whatever they are.
//
// `-`, like /dev/stdin, is the standard input. That, and what else can be read only once (a pipe, `<(command)`), is
// read to its end when it is first opened and kept in memory until the process ends, so that a reader may look at the
// first bytes and then begin again. A file of the name `-` is `./-`.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace ersatz {

/// More than this is not read into memory as one file.
inline constexpr uint64_t kMaxFileBytes = uint64_t(8) << 30;

struct CloseFile {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using InputFile = std::unique_ptr<std::FILE, CloseFile>;

/// Opened at its beginning. Raises InvalidArgument naming path and reason; folders are refused.
InputFile open_input(const std::string& path);

/// The first bytes of a file, `most` at most: the default is enough to know most formats. Empty where the file cannot
/// be opened: reading it says why.
std::string read_head(const std::string& path, size_t most = 4096);

/// At most `most` bytes from `begin` on; fewer where the file ends. Raises like open_input.
std::string read_part(const std::string& path, uint64_t begin, uint64_t most);

/// Can it be opened by its name only once, or not at all? Then nothing lies beside it, and it cannot be read again
/// by its name.
bool is_stream(const std::string& path);

/// How many bytes it has; opens what is a stream. None where unknown.
std::optional<uint64_t> input_size(const std::string& path);

}  // namespace ersatz

// Reads files of recorded calls in chunks of complete lines. Each chunk has a limited number of bytes.
//
// Only one thread may read at a time; callers have to lock. A chunk is owned by the thread that read it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tracer/archive/input_file.h"

namespace ersatz {

/// Consecutive complete lines of one file.
struct RecordChunk {
  int64_t number = 0;  ///< number of the chunk, counted over all files from 0
  std::string file;
  int64_t first_line = 1;
  std::string text;

  /// Calls f(line, number) for every line that is not blank.
  template <class F>
  void each_line(F&& f) const {
    int64_t number = first_line;
    for (std::string_view rest = text; !rest.empty(); ++number) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.find_first_not_of(" \t\r") != line.npos) f(line, number);
    }
  }
};

class RecordChunks {
 public:
  explicit RecordChunks(std::vector<std::string> files, size_t chunk_bytes = size_t(256) << 10);
  /// Reads the next chunk. Returns false if there is none. RAISES InvalidArgument if a file cannot be read or a line is
  /// too long.
  bool next(RecordChunk& chunk);
  int64_t bytes_total() const { return total_; }
  int64_t bytes_read() const { return read_; }

 private:
  void open();
  std::vector<std::string> files_;
  const size_t chunk_bytes_;
  size_t at_ = 0;
  InputFile file_;
  std::string rest_;  // the beginning of a line whose end has not been read yet
  int64_t line_ = 1;
  int64_t chunks_ = 0, total_ = 0, read_ = 0;
};

}  // namespace ersatz

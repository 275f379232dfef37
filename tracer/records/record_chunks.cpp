#include "tracer/records/record_chunks.h"

#include <algorithm>

#include "runtime/base/error.h"
#include "tracer/records/call_record.h"

namespace ersatz {

RecordChunks::RecordChunks(std::vector<std::string> files, size_t chunk_bytes)
    : files_(std::move(files)), chunk_bytes_(chunk_bytes) {
  for (const std::string& file : files_) {
    total_ += static_cast<int64_t>(input_size(file).value_or(0));
  }
}

void RecordChunks::open() {
  file_ = open_input(files_[at_]);
  line_ = 1;
  rest_.clear();
}

bool RecordChunks::next(RecordChunk& chunk) {
  for (; at_ < files_.size(); ++at_, file_.reset()) {
    if (!file_) open();
    std::string text = std::move(rest_);
    rest_.clear();
    bool ended = false;
    size_t whole = 0;  // number of bytes up to the end of the last complete line
    while (!ended && whole == 0) {
      const size_t had = text.size();
      if (had > kMaxRecordLine) {
        fail_argument("{}:{}: the line is longer than {} bytes", files_[at_], line_, kMaxRecordLine);
      }
      text.resize(had + chunk_bytes_);
      const size_t got = std::fread(text.data() + had, 1, chunk_bytes_, file_.get());
      if (got < chunk_bytes_ && std::ferror(file_.get())) fail_argument("{}: cannot be read to its end", files_[at_]);
      text.resize(had + got);
      read_ += static_cast<int64_t>(got);
      ended = got < chunk_bytes_;
      whole = ended ? text.size() : text.rfind('\n') + 1;  // npos + 1 is 0
    }
    if (text.empty()) continue;
    rest_ = text.substr(whole);
    text.resize(whole);
    chunk.number = chunks_++;
    chunk.file = files_[at_];
    chunk.first_line = line_;
    line_ += std::count(text.begin(), text.end(), '\n');
    chunk.text = std::move(text);
    return true;
  }
  return false;
}

}  // namespace ersatz

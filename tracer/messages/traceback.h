// Places in Python code that a text names: frames of a traceback, "Caused by", comments of a graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ersatz {

struct Frame {
  std::string file;
  int64_t line = 0;
  std::string function;
  std::string code;  ///< the source line, trimmed; empty where the text has none
  size_t at = 0;     ///< which line of the text names it
};

/// In order of the text, in each of these forms:
///   File "model.py", line 6, in forward                     the next line is its code
///   File model.py, lineno 6, in forward                     of draft reports
///   Caused by: if n > 64:  # model.py:7 in forward
///   Caused by: (model.py:7 in forward)
std::vector<Frame> frames_of(const std::vector<std::string>& lines);

/// Is it code of PyTorch, of another installed package, or of Python itself?
bool is_library(const Frame& frame);
/// Is it Inductor's code: a frame that asserts, or a file of its cache?
bool is_generated(const Frame& frame);

}  // namespace ersatz

// Places in Python code that a text names: frames of a traceback, "Caused by" lines, comments of a printed graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ersatz {

struct Frame {
  std::string file;
  int64_t line = 0;
  std::string function;
  std::string code;  ///< the source line, trimmed; empty if the text does not show it
  size_t at = 0;     ///< index of the frame's line in the text
};

/// Returns the frames in the order of the text, from lines of these forms:
///   File "model.py", line 6, in forward                     the next line is its code
///   File model.py, lineno 6, in forward                     in reports of draft_export
///   Caused by: if n > 64:  # model.py:7 in forward
///   Caused by: (model.py:7 in forward)
std::vector<Frame> frames_of(const std::vector<std::string>& lines);

/// Returns whether the frame is in PyTorch, in one of the packages known as libraries, or in Python's own library.
bool is_library(const Frame& frame);
/// Returns whether the frame is in Inductor's generated code: its line is an assertion, or its file is in Inductor's
/// cache.
bool is_generated(const Frame& frame);

}  // namespace ersatz

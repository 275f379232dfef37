// Any bytes that load as a program must be written, or refused by name, and come back equal.
#pragma once

#include <string>

namespace ersatz {

struct WrittenProgram {
  enum class End { NotLoaded, NotWritten, Same };
  End end = End::NotLoaded;
  std::string json;   ///< of what was written
  std::string wrong;  ///< what does not hold; empty: all holds
};

/// `file`: where the archive may be written. Refusals are Errors; nothing else may come out of here.
WrittenProgram write_and_load(const std::string& bytes, const std::string& file);

}  // namespace ersatz

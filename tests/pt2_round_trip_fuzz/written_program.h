// If bytes can be loaded as a program, writing it must succeed or raise NotSupported. A written program must load again
// as an equal one.
#pragma once

#include <string>

namespace ersatz {

struct WrittenProgram {
  enum class End { NotLoaded, NotWritten, Same };
  End end = End::NotLoaded;
  std::string json;   /// graph JSON of the written program
  std::string wrong;  /// the fault that was found; empty if there is none
};

/// `file` is the path to write the archive to. A refusal is an Error; no other exception may leave this function.
WrittenProgram write_and_load(const std::string& bytes, const std::string& file);

}  // namespace ersatz

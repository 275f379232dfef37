// Names a file for what it is, also where no command reads it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/output/document.h"

namespace ersatz::tools {

/// A command that takes a file.
struct FileUse {
  std::string_view command;  ///< its line without `ersatz`, `{}` for the file: "fake {} --device cuda"
  std::string_view shows;    ///< one phrase
};

struct FileKind {
  std::string name;  ///< "an exported program (.pt2 archive of torch.export.save)"
  std::vector<FileUse> uses;
  std::string way;  ///< for a file that no command takes: how to get to one that a command takes
};

/// Looks at the first bytes of the file, and at the names of a ZIP archive's entries; executes and unpickles nothing.
/// RETURNS a kind with an empty name where nothing is recognised. Raises InvalidArgument where it cannot read the path.
FileKind file_kind(const std::string& path);

/// The kind of a file that has no program, no graph and no recorded calls, and that a command takes nevertheless: an
/// error text, generated code, a library, arrays.
std::optional<FileKind> kind_without_program(const std::string& path);

/// Lines: the file's name, its kind, and the commands that take it or the way to one. Keys `kind` and `commands`.
Document file_kind_report(const std::string& path, const FileKind& kind);

}  // namespace ersatz::tools

// Finds out what kind of file a path is, even if no command takes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/output/document.h"

namespace ersatz::tools {

/// A command that takes a file.
struct FileUse {
  std::string_view command;  ///< command line without `ersatz`, with `{}` for the file: "fake {} --device cuda"
  std::string_view shows;    ///< one phrase on what it shows
};

struct FileKind {
  std::string name;  ///< "an exported program (.pt2 archive of torch.export.save)"
  std::vector<FileUse> uses;
  std::string way;  ///< if no command takes the file: how to make one that a command takes
};

/// Reads the first bytes of the file, and the names of a ZIP archive's entries. Executes and unpickles nothing. RETURNS
/// a kind with an empty name if none matches. RAISES InvalidArgument if the path cannot be read.
FileKind file_kind(const std::string& path);

/// The kind of a file without a program, graph or recorded calls that a command takes: an error text, generated code, a
/// library, arrays. nullopt for any other file.
std::optional<FileKind> kind_without_program(const std::string& path);

/// Lines: the file's name, its kind, and the commands that take it or how to make a file that they take. Keys `kind`
/// and `commands`.
Document file_kind_report(const std::string& path, const FileKind& kind);

}  // namespace ersatz::tools

// Finds out the kind of any file, even if no command reads files of that kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/output/document.h"

namespace ersatz::tools {

/// A command that reads a kind of file.
struct FileUse {
  /// The command line without `ersatz`, with `{}` in place of the file: "fake {} --device cuda".
  std::string_view command;
  std::string_view shows;  ///< a phrase that describes the command's output
};

struct FileKind {
  std::string name;  ///< for example "an exported program (.pt2 archive of torch.export.save)"
  std::vector<FileUse> uses;
  std::string way;  ///< if no command reads the file: how to make one that a command reads
};

/// Returns the kind of the file, from its first bytes or the names of a ZIP archive's entries. Executes and unpickles
/// nothing. The kind has an empty name if none matches. RAISES InvalidArgument if the path cannot be read.
FileKind file_kind(const std::string& path);

/// Returns the kind of a file that has no program, graph or recorded calls: an error text, generated code, a library,
/// arrays. nullopt for any other file.
std::optional<FileKind> kind_without_program(const std::string& path);

/// Returns lines with the file's name, its kind, and the commands that read it or how to make a file that they read.
/// The JSON keys are `kind` and `commands`.
Document file_kind_report(const std::string& path, const FileKind& kind);

}  // namespace ersatz::tools

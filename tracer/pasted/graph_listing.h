// Translates lines of a printed `torch.fx.Graph` into statements of a readable FX graph.
//
//   graph():
//       %x : [num_users=1] = placeholder[target=x]
//       %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
//       return relu
//
// Generated code for a GPU has these lines as comments (`# Graph fragment:`), with each result's metadata.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ersatz::pasted {

struct ListedLine {
  enum class Kind : uint8_t { Head, Input, Statement, Return };
  Kind kind = Kind::Statement;
  std::string name;        ///< name of the value that the line defines; empty: none
  std::string annotation;  ///< `f32[2, 3][3, 1]cuda:0`; empty: none
  std::string statement;   ///< `relu = torch.ops.aten.relu.default(x)`, `return relu`; empty for an input
};

/// Parses a line. nullopt if it belongs to no printed `torch.fx.Graph`. A text line may begin with `return` too, so the
/// caller must accept Kind::Return only after other listed lines.
std::optional<ListedLine> listed_line(std::string_view line);

}  // namespace ersatz::pasted

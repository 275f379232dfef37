// Texts about operators that are not registered.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz::tools {

/// True if the operator belongs to one of PyTorch's own namespaces. Any other operator is a custom operator.
bool is_pytorchs(std::string_view op);

/// Returns the text that follows `missing:` in a report: `X (3 nodes)`, with the reason if ersatz refuses X by name.
std::string missing_words(std::string_view op, std::string_view count);
/// Returns text on how to go on: `3 operators are missing, 1 of them refused by name; ...`. `plugins` are libraries
/// that the program names. They are listed but not loaded, because a program from an unknown source must not choose the
/// code that runs.
std::string missing_ops_advice(const std::map<std::string, int64_t>& operators,
                               const std::vector<std::string>& plugins);

}  // namespace ersatz::tools

// Texts about operators that are not registered.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz::tools {

/// Is an operator of a namespace of PyTorch's own? A user is the author of any other operator.
bool is_pytorchs(std::string_view op);

/// Text after `missing:`: `X (3 nodes)`, with the reason if X is refused by name.
std::string missing_words(std::string_view op, std::string_view count);
/// Text on how to go on: `3 operators are missing, 1 of them refused by name; ...`. `plugins` are libraries that the
/// program names. They are listed but not loaded: a program from a stranger must not choose the code that runs.
std::string missing_ops_advice(const std::map<std::string, int64_t>& operators,
                               const std::vector<std::string>& plugins);

}  // namespace ersatz::tools

// What a command says of operators that are not registered.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz::tools {

/// Is an operator of a namespace of PyTorch's own? Of all others a user is the author.
bool is_pytorchs(std::string_view op);

/// What is said behind `missing:`: `X (3 nodes)`, with the reason where X is refused by name.
std::string missing_words(std::string_view op, std::string_view count);
/// `3 operators are missing, 1 of them refused by name; ...`: how to go on. `plugins` are the libraries that the
/// program names: they are listed, and never loaded because of that, since a file that somebody sent must not choose
/// what code runs.
std::string missing_ops_advice(const std::map<std::string, int64_t>& operators,
                               const std::vector<std::string>& plugins);

}  // namespace ersatz::tools

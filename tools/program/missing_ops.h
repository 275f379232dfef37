// What a command says of operators that are not registered.
#pragma once

#include <string>
#include <vector>

namespace ersatz::tools {

/// `3 operators are missing; ...`: how to go on. `plugins` are the libraries that the program names: they are
/// listed, and never loaded because of that, since a file that somebody sent must not choose what code runs.
std::string missing_ops_advice(size_t operators, const std::vector<std::string>& plugins);

}  // namespace ersatz::tools

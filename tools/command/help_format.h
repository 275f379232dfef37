// Formats `--help`: each description is printed beside its option, and is wrapped at the width of the terminal.
#pragma once

#include <cstddef>
#include <memory>

namespace CLI {
class FormatterBase;
}

namespace ersatz::tools {

std::shared_ptr<CLI::FormatterBase> help_format(size_t columns);

}  // namespace ersatz::tools

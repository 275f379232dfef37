// The layout of `--help`: descriptions next to their options, filled to the width of the terminal.
#pragma once

#include <cstddef>
#include <memory>

namespace CLI {
class FormatterBase;
}

namespace ersatz::tools {

std::shared_ptr<CLI::FormatterBase> help_format(size_t columns);

}  // namespace ersatz::tools

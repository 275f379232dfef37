// A picture of a tensor's memory: which element lies where.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// Inline SVG of the storage's elements in their order, each with the index of the element that lies there; places
/// where none lies are dots. Of large tensors a corner. Colours go by the index of the first dim, so that two layouts
/// of one tensor can be compared by eye. Empty where `meta` is no tensor's spelling, or a tensor without elements.
std::string layout_picture(std::string_view meta);

}  // namespace ersatz::tools

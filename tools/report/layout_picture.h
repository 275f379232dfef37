// A picture of the elements in a tensor's memory.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// Inline SVG of the storage's elements in order, each with its index in the tensor. Elements that are not in the
/// tensor are dots. Only a corner of a large tensor is shown. The index of the first dim decides the colour, so that
/// two layouts of a tensor can be compared by eye. Empty if `meta` is no tensor's spelling or the tensor has no
/// elements.
std::string layout_picture(std::string_view meta);

}  // namespace ersatz::tools

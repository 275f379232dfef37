// Draws the elements of a tensor in the order of its memory.
#pragma once

#include <string>
#include <string_view>

namespace ersatz::tools {

/// Returns inline SVG with the storage's elements in order, each with its index in the tensor. Storage elements that
/// the tensor does not use are dots. Only a corner of a large tensor is drawn. The index of the first dim decides the
/// colour, so that two layouts of a tensor can be compared by eye. Empty if `meta` is not the spelling of a tensor's
/// metadata, or the tensor has no elements.
std::string layout_picture(std::string_view meta);

}  // namespace ersatz::tools

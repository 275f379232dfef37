#include "tools/report/layout_picture.h"

#include <algorithm>
#include <map>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/tensor/meta_text.h"
#include "tools/output/markup.h"

namespace ersatz::tools {

namespace {

constexpr size_t kMostCells = 48;
constexpr int64_t kMostOfDim = 4;
// Sizes in pixels: the smallest width and the height of a cell, and the largest width of the picture.
constexpr int kNarrowest = 44, kHigh = 26, kMostWide = 360;
constexpr int kLetter = 8;

using Index = std::vector<int64_t>;

/// Returns how many elements of each dim are shown, so that only a corner of a large tensor is drawn.
Index corner(const TensorMeta& m) {
  Index shown;
  for (const SymInt s : m.sizes) shown.push_back(std::min(s.as_int(), kMostOfDim));
  const auto cells = [&] {
    size_t n = 1;
    for (int64_t s : shown) n *= static_cast<size_t>(s);
    return n;
  };
  while (cells() > kMostCells) --*std::max_element(shown.begin(), shown.end());
  return shown;
}

/// Maps each position in memory (counted in elements) to the indices of the tensor's elements at that position.
std::map<int64_t, std::vector<Index>> places(const TensorMeta& m, const Index& shown) {
  std::map<int64_t, std::vector<Index>> found;
  Index at(shown.size(), 0);
  while (true) {
    int64_t place = m.offset.as_int();
    for (size_t d = 0; d < at.size(); ++d) place += at[d] * m.strides[d].as_int();
    found[place].push_back(at);
    size_t d = at.size();
    while (d > 0 && ++at[d - 1] == shown[d - 1]) at[--d] = 0;
    if (d == 0) return found;
  }
}

struct Cell {
  int64_t place = 0;
  std::string text;
  int64_t colour = -1;  ///< the colour number of the cell; -1: it holds no element
};

std::vector<Cell> cells_of(const TensorMeta& m) {
  std::vector<Cell> cells;
  int64_t next = 0;
  for (const auto& [place, elements] : places(m, corner(m))) {
    if (place > next) cells.push_back({next, place == next + 1 ? "·" : fmt::format("·{}·", place - next), -1});
    std::string text = fmt::format("{}", fmt::join(elements.front(), ","));
    if (text.empty()) text = "0";
    if (elements.size() > 1) text += fmt::format(" +{}", elements.size() - 1);
    cells.push_back({place, std::move(text), elements.front().empty() ? 0 : elements.front().front()});
    next = place + 1;
  }
  return cells;
}

}  // namespace

std::string layout_picture(std::string_view text) {
  TensorMeta m;
  try {
    m = parse_meta_text(text).meta;
  } catch (const Error&) {
    return "";
  }
  if (m.is_symbolic()) return "";
  for (const SymInt s : m.sizes) {
    if (s.as_int() == 0) return "";
  }
  const std::vector<Cell> cells = cells_of(m);
  size_t letters = 0;
  for (const Cell& c : cells) letters = std::max(letters, c.text.size());
  const int wide = std::max(kNarrowest, kLetter * static_cast<int>(letters) + 10),
            count = static_cast<int>(cells.size());
  const int columns = std::clamp(kMostWide / wide, 1, count), rows = (count + columns - 1) / columns;
  std::string out = fmt::format(
      "<svg class=\"layout\" role=\"img\" aria-label=\"memory of {}\" viewBox=\"0 0 {} {}\" style=\"max-width:{}px\">",
      escape_markup(text), columns * wide + 2, rows * kHigh + 2, columns * wide + 2);
  for (int i = 0; i < count; ++i) {
    const Cell& c = cells[static_cast<size_t>(i)];
    const int x = 1 + i % columns * wide, y = 1 + i / columns * kHigh;
    out += fmt::format(
        "<g class=\"{}\"><title>place {}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/><text x=\"{}\" "
        "y=\"{}\">{}</text></g>",
        c.colour < 0 ? "gap" : fmt::format("c{}", c.colour % 4), c.place, x, y, wide, kHigh, x + wide / 2, y + 17,
        escape_markup(c.text));
  }
  return out + "</svg>";
}

}  // namespace ersatz::tools

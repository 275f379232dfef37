#include "tests/pt2_round_trip_fuzz/program_change.h"

#include <cctype>
#include <string_view>

namespace ersatz {

namespace {

using Random = std::mt19937_64;

size_t below(size_t n, Random& random) { return n ? random() % n : 0; }

struct Piece {
  size_t begin = 0, end = 0;
};

/// Returns the first run of characters for which `holds` is true, from a random position on; empty if there is none.
template <class F>
Piece run_of(std::string_view text, Random& random, F&& holds) {
  size_t at = below(text.size(), random);
  while (at < text.size() && !holds(text[at])) ++at;
  Piece p{at, at};
  while (p.begin > 0 && holds(text[p.begin - 1])) --p.begin;
  while (p.end < text.size() && holds(text[p.end])) ++p.end;
  return p;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// Returns the text from an opening bracket, at or after a random position, to the bracket that closes it.
Piece brackets(std::string_view text, Random& random) {
  const size_t begin = text.find_first_of("{[(", below(text.size(), random));
  if (begin == text.npos) return {};
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    depth +=
        (text[i] == '{' || text[i] == '[' || text[i] == '(') - (text[i] == '}' || text[i] == ']' || text[i] == ')');
    if (depth == 0) return {begin, i + 1};
  }
  return {};
}

}  // namespace

void change(std::string& text, Random& random) {
  constexpr std::string_view numbers[] = {
      "0", "1", "-1", "2", "5", "64", "7", "1000", "2147483648", "9223372036854775807", "-9223372036854775808", "0.5"};
  const auto replace = [&](const Piece& p, const std::string& by) { text.replace(p.begin, p.end - p.begin, by); };
  const auto piece_text = [&](const Piece& p) { return text.substr(p.begin, p.end - p.begin); };
  switch (below(7, random)) {
    case 0:
      if (!text.empty()) text[below(text.size(), random)] = static_cast<char>(below(256, random));
      return;
    case 1:
      if (const Piece p = run_of(text, random, is_digit); p.end > p.begin) {
        replace(p, std::string(numbers[below(std::size(numbers), random)]));
      }
      return;
    case 2:
    case 3: {
      const Piece from = run_of(text, random, is_word), to = run_of(text, random, is_word);
      if (to.end > to.begin) replace(to, piece_text(from));
      return;
    }
    case 4:
      if (const Piece p = brackets(text, random); p.end > p.begin && p.end - p.begin < 4096) replace(p, "");
      return;
    case 5:
      if (const Piece p = brackets(text, random); p.end > p.begin && p.end - p.begin < 4096) {
        replace(p, piece_text(p) + ", " + piece_text(p));
      }
      return;
    default: {
      const Piece from = brackets(text, random), to = brackets(text, random);
      if (to.end > to.begin && from.end - from.begin < 4096 && to.end - to.begin < 4096) replace(to, piece_text(from));
      return;
    }
  }
}

}  // namespace ersatz

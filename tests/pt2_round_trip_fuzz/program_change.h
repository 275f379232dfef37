// Random changes of a program's text, in either form. They are small, so that some changed texts can still be loaded.
#pragma once

#include <random>
#include <string>

namespace ersatz {

/// Makes one change: changes a byte or a number, replaces a word by another word of the text, or removes, doubles or
/// moves a bracketed piece.
void change(std::string& text, std::mt19937_64& random);

}  // namespace ersatz

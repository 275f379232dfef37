// Random changes of a program's text, in either form. They are small, so that some changed texts can still be loaded.
#pragma once

#include <random>
#include <string>

namespace ersatz {

/// Makes one change: of a byte or a number; of a word to another word of the text; or a bracketed piece is removed,
/// doubled or moved.
void change(std::string& text, std::mt19937_64& random);

}  // namespace ersatz

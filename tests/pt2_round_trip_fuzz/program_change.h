// Random changes of a program's text, in either form: enough of it stays sound to be loaded now and then.
#pragma once

#include <random>
#include <string>

namespace ersatz {

/// One change: a byte, a number, a word for another word of the text, a bracketed piece dropped, doubled or put
/// elsewhere.
void change(std::string& text, std::mt19937_64& random);

}  // namespace ersatz

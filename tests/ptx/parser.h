// PTX text made into what machine.h runs. Text of any content ends in a Module or in a ParseError.
#pragma once

#include <stdexcept>

#include "tests/ptx/program.h"

namespace ersatz::ptx {

/// Names the module, the function, the line in it and the text.
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The module's variables and the heads of its functions; bodies are parsed when they are first run.
std::unique_ptr<Module> parse_module(std::string name, std::string text);
/// Does nothing for a function that is parsed already.
void parse_body(Function& f);

/// What a barrier of a block tells each of its threads of their predicates (`bar.red`).
enum BarrierReduction : uint8_t { kBarrierPlain, kBarrierAnd, kBarrierOr, kBarrierCount };
/// What follows the last instruction of a body.
Instruction end_of_function();

}  // namespace ersatz::ptx

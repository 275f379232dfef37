// Parses PTX text into the program that machine.h runs. Any text results in a Module or a ParseError.
#pragma once

#include <stdexcept>

#include "tests/ptx/program.h"

namespace ersatz::ptx {

/// The message has the module, the function, the line in it and the text.
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Parses the module's variables and the heads of its functions. A body is parsed when it is first run.
std::unique_ptr<Module> parse_module(std::string name, std::string text);
/// Parses the body. Does nothing if it is parsed already.
void parse_body(Function& f);

/// How `bar.red` combines the predicates of a block's threads.
enum BarrierReduction : uint8_t { kBarrierPlain, kBarrierAnd, kBarrierOr, kBarrierCount };
/// Returns the instruction after the last one of a body.
Instruction end_of_function();

}  // namespace ersatz::ptx

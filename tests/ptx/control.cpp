// Branches, calls, returns, block barriers, fences and waits.
#include "tests/ptx/parser.h"
#include "tests/ptx/statement.h"
#include "tests/ptx/thread.h"

namespace ersatz::ptx {
namespace {

size_t rounded_up(size_t n) { return (n + 15) / 16 * 16; }

void branch(Thread& t, const Instruction& i) { t.next = static_cast<size_t>(i.target); }

void call(Thread& t, const Instruction& i) {
  Function& callee = *i.call->callee;
  parse_body(callee);
  Frame& caller = t.frames.back();
  caller.next = t.next;
  caller.call = &i;
  const Function& from = *caller.function;
  const Frame frame{&callee, 0, caller.registers + static_cast<size_t>(from.slots),
                    rounded_up(caller.parameters + static_cast<size_t>(from.parameter_bytes)),
                    rounded_up(caller.locals + static_cast<size_t>(from.local_bytes))};
  const char* const given = t.parameters;
  t.frames.push_back(frame);
  t.enter(frame);
  for (size_t k = 0; k < i.call->arguments.size(); ++k) {
    const Area argument = i.call->arguments[k];
    std::memcpy(t.parameters + callee.parameters[k].offset, given + argument.offset,
                static_cast<size_t>(argument.bytes));
  }
}

void end(Thread& t, const Instruction&) {
  t.frames.clear();
  t.state = Thread::State::Ended;
}

void leave(Thread& t, const Instruction& i) {
  const Frame done = t.frames.back();
  t.frames.pop_back();
  if (t.frames.empty()) return end(t, i);
  const char* const results = t.parameters;
  const Frame& back = t.frames.back();
  t.enter(back);
  const Area to = back.call->call->result;
  if (to.offset >= 0)
    std::memcpy(t.parameters + to.offset, results + done.function->result.offset, static_cast<size_t>(to.bytes));
}

void trap(Thread&, const Instruction&) { throw Fault(kLaunchFailure, "a trap"); }

void yield(Thread& t, const Instruction& i) {
  t.state = Thread::State::Yields;
  t.waits_at = &i;
}

void wait_for_block(Thread& t, const Instruction& i) {
  t.state = Thread::State::AtBarrier;
  t.waits_at = &i;
  t.at_barrier_value = i.from_count > 0 && read_predicate(t, i, 0);
}

void do_nothing(Thread&, const Instruction&) {}

void parse_call(const Statement& s, Names& names, Instruction& i) {
  i.call = std::make_unique<CallSite>();
  size_t at = 0;
  const auto inside = [](std::string_view brackets) { return trimmed(brackets.substr(1, brackets.size() - 2)); };
  if (s.operands.empty()) names.refuse("a call names a function");
  if (s.operands[0][0] == '(') i.call->result = names.parameter(inside(s.operands[at++]));
  if (at == s.operands.size()) names.refuse("a call names a function");
  i.call->name = std::string(s.operands[at]);
  i.call->callee = names.function(s.operands[at++]);
  if (at < s.operands.size()) {
    for (std::string_view argument : split(inside(s.operands[at]))) {
      i.call->arguments.push_back(names.parameter(argument));
    }
  }
  if (i.call->arguments.size() != i.call->callee->parameters.size()) names.refuse("a call has each of its arguments");
  i.run = call;
}

/// Parses a barrier. Only barrier 0, of all threads of the block, is supported. `form` is a BarrierReduction.
void parse_barrier(const Statement& s, Names& names, Instruction& i) {
  const bool reduces = s.has("red");
  const std::string_view barrier = s.operands.empty() ? "" : s.operands[reduces ? 1 : 0];
  if (barrier != "0" || s.operands.size() != (reduces ? 3 : 1))
    names.refuse("barrier 0 of the whole block is known alone");
  i.run = wait_for_block;
  if (!reduces) return;
  i.form = s.has("and") ? kBarrierAnd : s.has("or") ? kBarrierOr : kBarrierCount;
  names.to(i, s.operands[0]);
  names.from(i, s.operands[2]);
}

}  // namespace

bool parse_control(const Statement& s, Names& names, Instruction& i) {
  const std::string_view op = s.opcode();
  if (op == "bra") {
    if (s.operands.size() != 1) names.refuse("a branch names a label");
    i.run = branch;
    names.jump(i, s.operands[0]);
  } else if (op == "call") {
    parse_call(s, names, i);
  } else if (op == "ret") {
    i.run = leave;
  } else if (op == "exit") {
    i.run = end;
  } else if (op == "trap" || op == "brkpt") {
    i.run = trap;
  } else if (op == "nanosleep") {
    i.run = yield;
  } else if ((op == "bar" || op == "barrier") && !s.has("warp")) {
    parse_barrier(s, names, i);
  } else if (op == "membar" || op == "fence" || op == "prefetch" || op == "griddepcontrol") {
    i.run = do_nothing;  // threads run one at a time and see each other's writes at once
  } else {
    return false;
  }
  return true;
}

Instruction end_of_function() {
  Instruction i;
  i.run = leave;
  return i;
}

}  // namespace ersatz::ptx

// A program called as a function, with nested arguments, and with lists that the call empties.
#include "tracer/run/program_call.h"

#include <gtest/gtest.h>

#include "include/ersatz/ops.h"
#include "runtime/op/dispatch.h"
#include "tests/tracer/traced_lines.h"
#include "tracer/run/interpreter.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

std::vector<Value> sum_of_list(std::span<const Value> x) {
  Tensor y = x[1].tensor();
  for (const Value& item : x[0].as_list()) y = ops::add(y, item.tensor());
  return {Value(y)};
}
Program traced(std::vector<std::string> steals) {
  TraceOptions options;
  options.input_names = {"xs", "y"};
  options.steals = std::move(steals);
  const Value list[] = {Value(floats({1, 2})), Value(floats({3, 4}))};
  const Value inputs[] = {Value::list(list), Value(floats({5, 6}))};
  return trace(sum_of_list, inputs, options);
}
std::vector<Value> arguments() {
  const Value list[] = {Value(floats({1, 1})), Value(floats({2, 2}))};
  return {Value::list(list), Value(floats({3, 3}))};
}

// TRACE-36
TEST(ProgramCall, FlattensNestedArguments) {
  const Program p = traced({});
  ProgramCall f(p);
  std::vector<Value> given = arguments();
  EXPECT_EQ(values(f(given)[0]), (std::vector<float>{6, 6}));
  EXPECT_EQ(given[0].as_list().size(), 2u) << "nothing is given up unasked";
  std::vector<Value> short_of_one{given[0]};
  EXPECT_THROW(f(short_of_one), Error);
}

// TRACE-36
TEST(ProgramCall, EmptiesTheListsThatTheProgramTakes) {
  const Program written = traced({"xs"});
  const Program p = parse_program_text(print_program(written), "t");
  EXPECT_EQ(p.steals, std::vector<std::string>{"xs"});
  EXPECT_TRUE(traced({}).steals.empty());
  ProgramCall f(p);
  std::vector<Value> given = arguments();
  EXPECT_EQ(values(f(given)[0]), (std::vector<float>{6, 6}));
  EXPECT_TRUE(given[0].as_list().empty());
}

/// Records whether the storage is alive after each node.
struct Watch final : NodeHandler {
  WeakRef<Storage> storage;
  std::vector<bool> alive;
  void done(const NodeCall&) override { alive.push_back(!storage.expired()); }
};

// TRACE-36
TEST(ProgramCall, UnneededValuesAreFreedAfterTheirLastUse) {
  const Program p = parse_program_text(
      "graph(%x: f32[2]):\n  %a = aten.relu.default(%x)\n  %b = aten.relu.default(%a)\n  %c = aten.relu.default(%b)\n"
      "  return %c",
      "t");
  const PreparedProgram prepared(p);
  for (const bool given_up : {true, false}) {
    Watch watch;
    Interpreter interpreter(prepared, &watch);
    std::vector<Value> inputs{Value(floats({1, 2}))};
    watch.storage = WeakRef<Storage>(inputs[0].tensor_impl()->storage);
    if (given_up) {
      interpreter.run(std::move(inputs));
    } else {
      interpreter.run(inputs);
    }
    EXPECT_EQ(watch.alive, (std::vector<bool>{true, !given_up, !given_up}));
  }
}

}  // namespace
}  // namespace ersatz

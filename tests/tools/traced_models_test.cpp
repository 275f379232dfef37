// Two models in C++, traced in every mode and run on other inputs: a residual network whose blocks share a child, and a
// decoder that writes its cache in place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "fake/object/module_call.h"
#include "fake/object/parameter.h"
#include "runtime/base/source_line.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"
#include "tests/tools/command_line.h"
#include "tracer/program/verify.h"
#include "tracer/run/program_call.h"
#include "tracer/tensors/synthetic.h"
#include "tracer/text/text_form.h"
#include "tracer/trace/trace.h"

namespace ersatz::tools {
namespace {

using ::testing::HasSubstr;

Value ints(std::vector<int64_t> v) { return Value::int_list(v); }
Value one(std::string_view op, std::initializer_list<Value> args) { return call(op, args)[0]; }
Tensor synthetic(const std::string& name, DimVec sizes, uint64_t seed = 0) {
  const TensorMeta meta(DType::F32, std::move(sizes));
  Tensor t = make_real_tensor(meta);
  fill_synthetic(t, name, seed, SyntheticRole::Weight);
  return t;
}
std::shared_ptr<Module> module_of(std::string type, std::vector<std::pair<std::string, DimVec>> parameters) {
  auto m = std::make_shared<Module>();
  m->type = std::move(type);
  for (auto& [name, sizes] : parameters) m->parameters.emplace_back(name, Parameter(synthetic(m->type + name, sizes)));
  return m;
}
Value parameter(const Module& m, std::string_view name) { return Value(m.find(name)); }

/// Computes x + f(x) twice with one f, then the mean over height and width, and a linear layer.
struct Residual {
  std::shared_ptr<Module> net = module_of("Residual", {}), stem = module_of("Conv", {{"weight", {4, 3, 3, 3}}}),
                          first = module_of("Block", {}), second = module_of("Block", {}),
                          shared = module_of("Conv", {{"weight", {4, 4, 3, 3}}}),
                          head = module_of("Linear", {{"weight", {5, 4}}, {"bias", {5}}});
  Residual() {
    first->children = second->children = {{"conv", shared}};
    net->children = {{"stem", stem}, {"first", first}, {"second", second}, {"head", head}};
  }
  static Value conv(const Module& m, const Value& x) {
    const ModuleCall scope(m);
    const SourceLine line("residual.cpp:12 in conv: conv2d(x, weight)");
    return one("aten.conv2d.default", {x, parameter(m, "weight"), Value(), ints({1, 1}), ints({1, 1})});
  }
  Value block(const Module& m, const Value& x) const {
    const ModuleCall scope(m);
    const Value y = one("aten.relu.default", {conv(*shared, x)});
    return one("aten.add.Tensor", {x, y});
  }
  std::vector<Value> operator()(std::span<const Value> x) const {
    const ModuleCall scope(*net);
    const Value y = block(*second, block(*first, conv(*stem, x[0])));
    const Value pooled = one("aten.mean.dim", {y, ints({2, 3})});
    const ModuleCall in_head(*head);
    return {one("aten.linear.default", {pooled, parameter(*head, "weight"), parameter(*head, "bias")})};
  }
  static std::vector<Value> inputs(int64_t n, int64_t h, int64_t w, uint64_t seed) {
    return {Value(synthetic("x", {n, 3, h, w}, seed))};
  }
};

/// One step of attention with a cache: keys and values of the new token are written at position `at`.
struct Decoder {
  std::shared_ptr<Module> net = module_of("Decoder", {}),
                          attention = module_of("Attention", {{"qkv", {12, 4}}, {"out", {4, 4}}});
  Decoder() { net->children = {{"attention", attention}}; }
  std::vector<Value> operator()(std::span<const Value> x) const {
    const ModuleCall scope(*net);
    const ModuleCall inner(*attention);
    const SourceLine line("decoder.cpp:30 in forward: attend(x, keys, values)");
    const Value qkv = one("aten.linear.default", {x[0], parameter(*attention, "qkv")});
    const Value parts = one("aten.chunk.default", {qkv, Value(3), Value(-1)});
    for (int i = 1; i < 3; ++i) {
      const Value place = one("aten.slice.Tensor", {x[i], Value(1), Value(1), Value(2)});
      call("aten.copy_.default", {place, parts.as_list()[i]});
    }
    const Value keys = one("aten.transpose.int", {x[1], Value(1), Value(2)});
    const Value weights = one("aten.softmax.int", {one("aten.matmul.default", {parts.as_list()[0], keys}), Value(-1)});
    const Value y = one("aten.matmul.default", {weights, x[2]});
    return {one("aten.linear.default", {y, parameter(*attention, "out")})};
  }
  static std::vector<Value> inputs(int64_t n, int64_t length, int64_t, uint64_t seed) {
    return {Value(synthetic("x", {n, 1, 4}, seed)), Value(synthetic("keys", {n, length, 4}, seed)),
            Value(synthetic("values", {n, length, 4}, seed))};
  }
};

std::string bytes_of(const Value& v) {
  const Tensor t = one("aten.contiguous.default", {v}).tensor();
  std::string bytes(static_cast<size_t>(t.numel().as_int()) * static_cast<size_t>(item_size(t.dtype())), '\0');
  std::memcpy(bytes.data(), t.storage()->data() + t.meta().offset.as_int() * item_size(t.dtype()), bytes.size());
  return to_string(t.meta()) + bytes;
}

template <class Model>
void check_model(const char* name, const char* path, const char* line) {
  const Model model;
  for (const TraceMode mode : {TraceMode::Real, TraceMode::Fake, TraceMode::Symbolic}) {
    SCOPED_TRACE(std::string(name) + " " + std::string(ersatz::name(mode)));
    TraceOptions options;
    options.mode = mode;
    options.allow_non_fake_inputs = true;
    const Program p = trace(model, Model::inputs(2, 5, 6, 1), options);
    verify_program(p, name);
    EXPECT_EQ(p.function, name);
    for (uint64_t seed = 2; seed < 5; ++seed) {
      const int64_t more = mode == TraceMode::Symbolic ? static_cast<int64_t>(seed) : 0;
      const int64_t sizes[] = {2 + more, 5 + 2 * more, 6 + more};
      std::vector<Value> direct = Model::inputs(sizes[0], sizes[1], sizes[2], seed);
      std::vector<Value> given = Model::inputs(sizes[0], sizes[1], sizes[2], seed);
      const std::vector<Value> expected = model(direct);
      ProgramCall replay(p);
      const std::vector<Value> got = replay(given);
      ASSERT_EQ(got.size(), expected.size());
      EXPECT_EQ(bytes_of(got[0]), bytes_of(expected[0])) << "seed " << seed;
      for (size_t i = 0; i < given.size(); ++i) EXPECT_EQ(bytes_of(given[i]), bytes_of(direct[i])) << "input " << i;
    }
    const std::string file = scratch_file(std::string(name) + ".txt", print_program(p));
    const CommandResult shown = run_command({"show", file});
    EXPECT_THAT(shown.out, HasSubstr(path));
    EXPECT_THAT(shown.out, HasSubstr(line));
    const CommandResult checked = run_command({"crosscheck", file});
    EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
    const CommandResult fake = run_command({"fake", file, "--device", "cuda"});
    EXPECT_EQ(fake.status, 0) << fake.out << fake.err;
  }
}

// TRACE-30
TEST(TracedModels, AResidualNetworkWithASharedChild) {
  check_model<Residual>("Residual", "\"second.conv\" \"Conv\"", "at=\"residual.cpp:12 in conv: conv2d(x, weight)\"");
}

// TRACE-16
TEST(TracedModels, ADecoderThatWritesItsCacheInPlace) {
  check_model<Decoder>("Decoder", "\"attention\" \"Attention\"",
                       "at=\"decoder.cpp:30 in forward: attend(x, keys, values)\"");
}

}  // namespace
}  // namespace ersatz::tools

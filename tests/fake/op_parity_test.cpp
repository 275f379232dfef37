// Calls every registered op on its samples, real and fake, and compares results, errors and `out=` arguments.
// One rule predicts both calls. So the tests show that each mode returns the prediction unchanged, not that the
// prediction is right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "fake/mode/fake_mode.h"
#include "runtime/op/sample.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/checked.h"

namespace ersatz {
namespace {

using Args = std::vector<Value>;

std::vector<Tensor> tensors_of(std::span<const Value> values) {
  std::vector<Tensor> found;
  for_each_tensor(values, [&](TensorImpl* t) { found.emplace_back(Ref<TensorImpl>(t)); });
  return found;
}

Args faked(const FakeMode& mode, const Args& args) {
  Args fakes;
  for (const Value& v : args) {
    if (v.is_tensor()) {
      fakes.emplace_back(mode.from_tensor(v.tensor()));
    } else if (v.kind() == Value::Kind::List) {
      const Args items = faked(mode, Args(v.as_list().begin(), v.as_list().end()));
      fakes.push_back(Value::list(items));
    } else {
      fakes.push_back(v);
    }
  }
  return fakes;
}

/// The outcome of a call as text: metadata and sharing of each result, and the arguments after the call; or the error.
struct Answer {
  std::string text;
  bool needs_values = false;  // a real call refused the values of its arguments, or a fake call needs values
};

std::string shares(const Tensor& t, const std::vector<Tensor>& others) {
  for (size_t k = 0; k < others.size(); ++k) {
    if (t.is(others[k])) return fmt::format(" is {}", k);
  }
  for (size_t k = 0; k < others.size(); ++k) {
    if (t.shares_storage(others[k])) return fmt::format(" on {}", k);
  }
  return "";
}

Answer answer(const OpEntry& op, const Args& args) {
  const std::vector<Tensor> inputs = tensors_of(args);
  std::vector<uint32_t> versions;
  for (const Tensor& t : inputs) versions.push_back(t.version());
  Values results;
  try {
    dispatch(op, args, results);
  } catch (const Error& e) {
    const bool values =
        e.value_failure || e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape;
    return {fmt::format("{} {} {}", name(e.kind), name(e.family), e.message), values};
  }
  std::string text;
  for (const Value& v : results) {
    if (!v.is_tensor() && v.kind() != Value::Kind::List) text += to_string(v) + "; ";
  }
  for (const Tensor& t : tensors_of(results)) text += to_string(t.meta()) + shares(t, inputs) + "; ";
  text += "then ";
  for (size_t k = 0; k < inputs.size(); ++k) {
    text += fmt::format("{}{}; ", to_string(inputs[k].meta()), inputs[k].version() == versions[k] ? "" : " written");
  }
  return {std::move(text)};
}

/// Returns the answers of a real call and of a fake call, each with new arguments from `make_args`.
std::pair<Answer, Answer> answers(const OpEntry& op, const std::function<Args()>& make_args) {
  Answer real = answer(op, make_args());
  const FakeMode mode;
  const Args fakes = faked(mode, make_args());
  const FakeScope scope(mode);
  return {std::move(real), answer(op, fakes)};
}

/// Expects equal answers of the real and the fake call. Returns false if one of them needs values.
bool compare(const OpEntry& op, const std::function<Args()>& make_args, const std::string& what) {
  const auto [real, fake] = answers(op, make_args);
  if (real.needs_values || fake.needs_values) return false;
  EXPECT_EQ(fake.text, real.text) << what;
  return true;
}

/// Returns the library's own ops. Plugins and test ops of other files have their own tests.
std::vector<const OpEntry*> library_ops() {
  std::vector<const OpEntry*> found;
  for (const OpEntry* op : registry().all()) {
    if (op->schema.ns == "aten") found.push_back(op);
  }
  return found;
}

// One rule predicts the real and the fake call, so equal answers show that each mode returns its results, errors and
// arguments unchanged. The Conformance tests check the rules against records of PyTorch.
TEST(OpParity, EveryResultOfEverySampleIsPredicted) {
  size_t compared = 0, skipped = 0;
  for (const OpEntry* op : library_ops()) {
    const bool reads_values = op->tags.has(Tag::DataDependent) || op->tags.has(Tag::ScalarRead);
    for (const Sample& sample : op->samples) {
      for (SampleLayout layout : kSampleLayouts) {
        if (!layout_applies(*op, layout)) continue;
        const std::string what = fmt::format("{}({}) {}", op->name, sample.arguments, name(layout));
        const bool both = compare(
            *op, [&] { return sample_arguments(*op, sample, {layout}); }, what);
        ++(both ? compared : skipped);
        EXPECT_TRUE(both || reads_values || op->tags.has(Tag::FailsOnValues)) << what;
      }
    }
  }
  EXPECT_GT(compared, 3000u);
  EXPECT_LT(skipped, compared / 30) << "values decide only few calls";
}

// A rule must not depend on whether its arguments are fakes (invariant R1 of runtime/op/rule.h). Crosscheck runs a rule
// once for the fake and the real call, so only these tests can find a wrong rule.
TEST(OpParity, ARuleThatAnswersFakesOtherwiseIsSeen) {
  Planted p("aten.relu.default");
  p.entry.rule = [](RuleCall& call) {
    TensorMeta meta = call.meta(0);
    if (call.tensor(0)->fake_mode) meta.dtype = DType::F64;
    call.out.fresh(meta);
  };
  const auto [real, fake] = answers(p.entry, [] { return Args{ones_f32({2})}; });
  EXPECT_EQ(real.text, "f32[2]{1}+0@cpu; then f32[2]{1}+0@cpu; ");
  EXPECT_EQ(fake.text, "f64[2]{1}+0@cpu; then f32[2]{1}+0@cpu; ");
}

// BEY-01
TEST(OpParity, EveryRefusedSampleIsRefusedInSameWords) {
  size_t compared = 0;
  for (const OpEntry* op : library_ops()) {
    for (const ErrorSample& sample : op->error_samples) {
      const std::string what = fmt::format("{}({})", op->name, sample.arguments);
      EXPECT_TRUE(compare(
          *op, [&] { return sample_arguments(*op, sample); }, what))
          << what;
      ++compared;
    }
  }
  EXPECT_GT(compared, 300u);
}

// BEY-01: calls on which predictions and kernels of other systems are known to disagree.
TEST(OpParity, CallsThatOthersPredictWronglyAreRefusedAlike) {
  const auto refused = [](std::string_view name, std::string_view arguments, std::string_view words) {
    const OpEntry& op = op_named(name);
    const auto make_args = [&] { return sample_arguments(op, arguments, 0, 1); };
    EXPECT_TRUE(compare(op, make_args, std::string(arguments)));
    const Answer real = answer(op, make_args());
    EXPECT_THAT(real.text, testing::HasSubstr(words)) << name;
  };
  refused("aten.addmm.default", "f32[3], f32[2,3], f32[3,4]", "InvalidArgument runtime addmm: ");
  refused("aten.index_add.default", "f32[4], 0, i64[2], f32[3]", "index_add.C3");
  refused("aten.index_add.default", "f32[4,3], 0, i64[2], f32[2,2]", "index_add.C4");
  refused("aten.index_put.default", "f32[4], [i64[2]], f64[2]", "index_put.C6");
  refused("aten.index_put.default", "f32[4,4], [i64[2]], f32[3]", "index_put.C7");
  refused("aten.select.int", "f32[4], 0, 4", "InvalidArgument index select: ");
  refused("aten.select.int", "f32[0], 0, 0", "select.C2");
  refused("aten.avg_pool2d.default", "f32[0,3,0,4], [2, 2]", "InvalidArgument runtime avg_pool2d: ");
}

/// Returns a real tensor without bytes, for calls that are refused before a kernel runs.
Tensor unbacked(std::string_view text) {
  TensorMeta meta = parse_meta(text);
  Ref<Storage> storage = Storage::make_fake(storage_bytes_needed(meta), meta.device);
  return Tensor(std::move(meta), std::move(storage));
}

// BEY-01: real and fake calls with mixed devices raise equal messages.
TEST(OpParity, MixedDevicesAreRefusedInTheSameWords) {
  const FakeMode mode;
  const auto both = [&](std::string_view name, std::vector<std::string> texts, const std::function<Args(Args)>& order) {
    Args reals, fakes;
    for (const std::string& t : texts) {
      reals.emplace_back(unbacked(t));
      fakes.emplace_back(mode.make(parse_meta(t)));
    }
    const Answer real = answer(op_named(name), order(reals)), fake = answer(op_named(name), order(fakes));
    EXPECT_EQ(fake.text, real.text);
    EXPECT_THAT(real.text, testing::HasSubstr("device")) << name;
  };
  const auto list = [](const Value& v) { return Value::list(std::array<Value, 1>{v}); };
  both("aten.index_add.default", {"f32[4]@cuda:0", "i64[2]@cpu", "f32[2]@cuda:0"}, [](Args t) {
    return Args{t[0], 0, t[1], t[2], 1};
  });
  both("aten.index_put.default", {"f32[4]@cpu", "i64[2]@cuda:0", "f32[2]@cpu"}, [&](Args t) {
    return Args{t[0], list(t[1]), t[2], false};
  });
  both("aten.index_put.default", {"f32[4]@cuda:0", "i64[2]@cpu", "f32[2]@cpu"}, [&](Args t) {
    return Args{t[0], list(t[1]), t[2], false};
  });
  both("aten.nextafter.default", {"f32[4]@cuda:0", "f32[]@cpu"}, [](Args t) { return t; });
}

/// Returns the positions of the written keyword-only arguments of an `out=` overload.
std::vector<size_t> out_positions(const OpEntry& op) {
  std::vector<size_t> found;
  for (uint16_t i : op.written) {
    if (op.schema.arguments[i].keyword_only && op.schema.arguments[i].type.base == BaseType::Tensor) found.push_back(i);
  }
  return found;
}

using ChangeOut = std::function<TensorMeta(TensorMeta)>;
const std::map<std::string, ChangeOut>& out_changes() {
  static const auto to_dtype = [](DType t) {
    return [t](TensorMeta m) {
      m.dtype = t;
      return m;
    };
  };
  static const std::map<std::string, ChangeOut> changes = {
      {"as it is", [](TensorMeta m) { return m; }},
      {"empty", [](TensorMeta m) { return TensorMeta(m.dtype, std::array<SymInt, 1>{0}); }},
      {"larger",
       [](TensorMeta m) {
         return TensorMeta(m.dtype, std::array<SymInt, 3>{3, 5, 7});
       }},
      {"with gaps",
       [](TensorMeta m) {
         for (SymInt& s : m.strides) s *= SymInt(2);
         m.offset = 3;
         return m;
       }},
      {"reversed dims",
       [](TensorMeta m) {
         SymInt stride = 1;
         for (size_t d = 0; d < m.sizes.size(); ++d) m.strides[d] = stride, stride *= sym_max(m.sizes[d], 1);
         return m;
       }},
      {"shared elements",
       [](TensorMeta m) {
         for (SymInt& s : m.strides) s = 0;
         return m;
       }},
      {"f64", to_dtype(DType::F64)},
      {"i64", to_dtype(DType::I64)},
      {"bool", to_dtype(DType::Bool)},
      {"c64", to_dtype(DType::C64)},
      {"f16", to_dtype(DType::F16)}};
  return changes;
}

/// Returns whether the op changes the strides of an `out=` tensor of the right sizes, because ATen resizes it with a
/// memory format.
bool lays_out_anew(const OpEntry& op) {
  return op.base().starts_with("reflection_pad") || op.base().starts_with("replication_pad") ||
         op.base().starts_with("max_pool3d_with_indices") || op.base() == "adaptive_avg_pool2d" ||
         op.base() == "max_unpool2d";
}

// BEY-33
TEST(OpParity, EveryOutVariantTreatsItsOutputAsPredicted) {
  size_t compared = 0, ops = 0;
  for (const OpEntry* op : library_ops()) {
    const std::vector<size_t> outs = out_positions(*op);
    const std::vector<Sample>& samples = op->functional ? op->functional->samples : op->samples;
    if (outs.empty() || samples.empty()) continue;
    ++ops;
    const Sample& sample = samples[0];
    const auto inputs = [&] {
      Args args = sample_arguments(op->functional ? *op->functional : *op, sample);
      args.resize(op->schema.arguments.size());
      if (op->functional) {
        for (size_t i : outs) args[i] = make_sample_tensor(TensorMeta(DType::F32, std::array<SymInt, 1>{0}));
      }
      return args;
    };
    // Finds the result's metadata by a call with an empty `out=` tensor, which is resized. Several dtypes are tried.
    std::vector<TensorMeta> expected;
    for (DType t : {DType::F32, DType::I64, DType::Bool, DType::C64}) {
      Args args = inputs();
      for (size_t i : outs) args[i] = make_sample_tensor(TensorMeta(t, std::array<SymInt, 1>{0}));
      Values results;
      try {
        dispatch(*op, args, results);
      } catch (const Error&) {
        continue;
      }
      for (const Tensor& r : tensors_of(results)) expected.push_back(r.meta());
      break;
    }
    if (expected.size() != outs.size()) continue;  // outputs of several dtypes, which another test covers
    for (const auto& [what, change] : out_changes()) {
      const auto make_args = [&] {
        Args args = inputs();
        for (size_t k = 0; k < outs.size(); ++k) args[outs[k]] = make_sample_tensor(change(expected[k]));
        return args;
      };
      compared += compare(*op, make_args, fmt::format("{}({}) out {}", op->name, sample.arguments, what));
      if (what != "as it is" && what != "with gaps") continue;
      // An `out=` tensor of the right sizes is written and returned, and keeps its strides.
      Args args = make_args();
      const std::string before = to_string(args[outs[0]].tensor().meta());
      Values results;
      try {
        dispatch(*op, args, results);
      } catch (const Error& e) {
        // Some kernels of ATen write only row-major memory. Their rules refuse other layouts with this label.
        if (what != "with gaps" || e.label != fmt::format("{}.layout", op->base())) throw;
        continue;
      }
      EXPECT_TRUE(tensors_of(results)[0].is(args[outs[0]].tensor())) << op->name;
      if (lays_out_anew(*op)) continue;
      EXPECT_EQ(to_string(args[outs[0]].tensor().meta()), before) << op->name;
    }
  }
  EXPECT_GT(ops, 200u);
  EXPECT_GT(compared, 9 * ops);
}

// BEY-33: a cast to `out=` that loses values is refused, a widening cast is accepted. The expected answers are
// literals.
TEST(OpParity, OutDtypesAreCastIfNothingIsLost) {
  const FakeMode mode;
  const FakeScope scope(mode);
  const auto out = [&](std::string_view op, const char* dtype) {
    const Tensor x = mode.make(meta_of("f32[2,3]")), to = mode.make(meta_of(std::string(dtype) + "[0]"));
    try {
      const Values r = call(op_named(op), std::vector<Value>{x}, {{{"out", to}}});
      return to_string(r[0].tensor().meta(), MetaStyle::People);
    } catch (const Error& e) {
      return e.label;
    }
  };
  EXPECT_EQ(out("aten.sin.out", "f64"), "f64[2,3]@cpu");
  EXPECT_EQ(out("aten.sin.out", "c64"), "c64[2,3]@cpu");
  EXPECT_EQ(out("aten.sin.out", "i64"), "sin.result_type");
  EXPECT_EQ(out("aten.clone.out", "f64"), "clone.out_dtype");
}

// BEY-07
TEST(OpParity, AnInPlaceOpNeverChangesItsTarget) {
  for (const char* arguments : {"f32[2,1], f32[2,3]", "f32[3], f32[2,3]", "i64[3], f32[3]", "bool[3], i64[3]"}) {
    const OpEntry& op = op_named("aten.add_.Tensor");
    const auto make_args = [&] {
      Args args = sample_arguments(op, arguments, 0, 1);
      return args;
    };
    EXPECT_TRUE(compare(op, make_args, arguments));
    const FakeMode mode;
    const Args fakes = faked(mode, make_args());
    const std::string before = to_string(fakes[0].tensor().meta());
    EXPECT_THAT(answer(op, fakes).text, testing::HasSubstr("InvalidArgument runtime add_: ")) << arguments;
    EXPECT_EQ(to_string(fakes[0].tensor().meta()), before);
    EXPECT_EQ(fakes[0].tensor().version(), 0u);
  }
}

}  // namespace
}  // namespace ersatz

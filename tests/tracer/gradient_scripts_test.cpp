// Repeats short programs for which PyTorch recorded flags and gradients after every step, and the layouts of leaves and
// of the gradients that reach them. The facts are data of `gradients/scripts`.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>

#include "fake/crosscheck/value_compare.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/json_stream.h"
#include "tracer/records/recorded_values.h"

namespace ersatz {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> facts_file(const char* name) {
  const fs::path path = fs::path(ERSATZ_DATA) / "gradients" / "scripts" / name;
  if (std::string(ERSATZ_DATA).empty() || !fs::exists(path)) return std::nullopt;
  return path;
}

Tensor tensor_of_fact(const JsonView& v) {
  const TensorMeta meta = parse_meta(v.at("t").string());
  const auto bytes = v.find("n");
  const int64_t nbytes = std::max(bytes ? bytes->integer() : 0, storage_bytes_needed(meta).as_int());
  Tensor t{TensorMeta(meta), Storage::allocate(nbytes, kCPU)};
  if (nbytes) std::fill_n(t.storage()->data(), nbytes, std::byte{0});
  if (const auto values = v.find("v")) write_values(parse_values(*values, meta), t);
  t.impl()->meta.inference = rule_context().inference_mode;
  return t;
}

/// Runs one script and reports the first fact that differs.
class Script {
 public:
  ~Script() {
    while (!modes_.empty()) modes_.pop_back();  // the newest mode is left first
  }

  std::string run(const JsonView& script) {
    const JsonView steps = script.at("steps"), facts = script.at("facts");
    for (size_t i = 0; i < steps.size() && different_.empty(); ++i) {
      const JsonView fact = facts.item(i);
      const auto error = fact.find("err");
      outcome_.clear();
      try {
        step(steps.item(i));
        if (error) {  // PyTorch raises it when the flags are read
          for (const auto& [name, t] : named_) requires_grad(t);
        } else {
          compare(fact);
        }
      } catch (const Error& e) {
        if (!error) return fmt::format("step {} ({}): raises {}", i, steps.item(i).at("do").string(), e.message);
        return {};
      }
      if (error)
        return fmt::format("step {} ({}): passes, PyTorch raises {}", i, steps.item(i).at("do").string(),
                           error->string());
      if (!different_.empty()) return fmt::format("step {} ({}): {}", i, steps.item(i).at("do").string(), different_);
    }
    return {};
  }

 private:
  void step(const JsonView& s) {
    const std::string_view what = s.at("do").string();
    if (what == "leaf") {
      const Tensor t = tensor_of_fact(s.at("T"));
      if (s.at("rg").boolean()) set_requires_grad(t);
      named_[std::string(s.at("to").string())] = t;
    } else if (what == "call") {
      call(s);
    } else if (what == "mode") {
      mode(s.at("mode").string());
    } else if (what == "set_rg") {
      set_requires_grad(on(s), s.at("value").boolean());
    } else if (what == "retain_grad") {
      retain_grad(on(s));
    } else if (what == "clear_grad") {
      set_grad(on(s), {});
    } else {
      const std::vector<Tensor> outs = tensors(s.at("outs"));
      BackwardOptions options;
      if (const auto gout = s.find("gout")) {
        for (size_t i = 0; i < gout->size(); ++i) {
          options.gradients.push_back(gout->item(i).is_null() ? Tensor() : given(gout->item(i)));
        }
      }
      options.retain_graph = false;
      if (const auto v = s.find("retain")) options.retain_graph = v->boolean();
      if (const auto v = s.find("create")) options.create_graph = v->boolean();
      if (const auto v = s.find("allow_unused")) options.allow_unused = v->boolean();
      if (what == "backward") {
        backward(outs, options);
      } else {
        outcome_ = grad(outs, tensors(s.at("wrt")), options);
        if (const auto to = s.find("to")) name_results(*to, outcome_);
      }
    }
  }

  void call(const JsonView& s) {
    const OpEntry& op = op_named(s.at("op").string());
    std::vector<Value> args;
    for (size_t i = 0; i < s.at("args").size(); ++i) args.push_back(value(s.at("args").item(i)));
    std::vector<std::pair<std::string, Value>> keywords;
    s.at("kwargs").each_member([&](const std::string& k, const JsonView& v) { keywords.emplace_back(k, value(v)); });
    const Values results = ersatz::call(op, args, keywords);
    InlineVec<Value, 3> flat;
    flatten(std::span<const Value>(results.data(), results.size()), flat);
    for (const Value& v : flat) {
      if (v.is_tensor()) outcome_.push_back(v.tensor());
    }
    name_results(s.at("to"), outcome_);
  }

  void name_results(const JsonView& to, const std::vector<Tensor>& results) {
    for (size_t i = 0; i < to.size() && i < results.size(); ++i) {
      if (!to.item(i).is_null() && results[i]) named_[std::string(to.item(i).string())] = results[i];
    }
  }

  void mode(std::string_view which) {
    if (which == "end") {
      ASSERT_FALSE(modes_.empty());
      modes_.pop_back();
      return;
    }
    modes_.push_back(std::make_unique<ContextGuard>([&](RuleContext& c) {
      c.grad_mode = which == "enable_grad";
      if (which == "inference") c.inference_mode = true;
    }));
  }

  Value value(const JsonView& v) {
    if (v.is_null()) return {};
    if (v.is_string()) return v.string();
    if (v.is_array()) {
      std::vector<Value> items;
      for (size_t i = 0; i < v.size(); ++i) items.push_back(value(v.item(i)));
      return Value::packed(items);
    }
    const Json& json = v.json();
    if (json.is_boolean()) return v.boolean();
    if (json.is_number_float()) return v.number();
    if (json.is_number()) return v.integer();
    if (v.find("t")) return tensor_of_fact(v);
    const auto [kind, payload] = v.tagged();
    if (kind == "ref") return named_.at(std::string(payload.string()));
    if (kind == "dtype") return parse_dtype(payload.string()).value();
    v.refuse("'{}' is no argument of a script", kind);
  }
  Tensor given(const JsonView& v) {
    if (v.find("ref")) return named_.at(std::string(v.at("ref").string()));
    return tensor_of_fact(v);
  }
  Tensor on(const JsonView& s) { return named_.at(std::string(s.at("on").string())); }
  std::vector<Tensor> tensors(const JsonView& names) {
    std::vector<Tensor> list;
    for (size_t i = 0; i < names.size(); ++i) list.push_back(named_.at(std::string(names.item(i).string())));
    return list;
  }

  void compare(const JsonView& fact) {
    if (const auto out = fact.find("out")) {
      for (size_t i = 0; i < out->size() && i < outcome_.size(); ++i) {
        same(fmt::format("result {}", i), outcome_[i], out->item(i));
      }
    }
    if (const auto grads = fact.find("grads")) {
      for (size_t i = 0; i < grads->size(); ++i) same(fmt::format("gradient {}", i), outcome_[i], grads->item(i));
    }
    if (const auto flags = fact.find("flags")) {
      flags->each_member([&](const std::string& name, const JsonView& f) { compare_flags(name, f); });
    }
    if (const auto grads = fact.find("grad")) {
      grads->each_member(
          [&](const std::string& name, const JsonView& g) { same(name + ".grad", ersatz::grad(named_.at(name)), g); });
    }
  }

  void compare_flags(const std::string& name, const JsonView& f) {
    const auto found = named_.find(name);
    if (found == named_.end()) return differ("no tensor is called " + name);
    const Tensor& t = found->second;
    const auto check = [&](const char* what, bool mine) {
      const bool theirs = f.at(what).integer() != 0;
      if (mine != theirs) differ(fmt::format("{}: {} is {}, PyTorch says {}", name, what, mine, theirs));
    };
    check("rg", requires_grad(t));
    check("leaf", is_leaf(t));
    check("view", is_view(t));
    if (const JsonView version = f.at("ver");
        !version.is_null()) {  // PyTorch's version also counts how a leaf was filled
      const int64_t theirs = version.integer(), moved = static_cast<int64_t>(t.version());
      const int64_t ahead = ahead_.try_emplace(t.storage()->id(), theirs - moved).first->second;
      if (moved + ahead != theirs)
        differ(fmt::format("{}: the version is {}, PyTorch's {}", name, moved + ahead, theirs));
    }
    const std::string mine = grad_fn(t) ? std::string(grad_fn(t)->node_name()) : "None";
    const auto fn = f.find("fn");
    const std::string theirs = fn ? std::string(fn->string()) : "None";
    if (mine != theirs && !theirs.ends_with("NotImplemented")) {
      differ(fmt::format("{}: grad_fn is {}, PyTorch says {}", name, mine, theirs));
    }
  }

  void same(const std::string& where, const Tensor& mine, const JsonView& fact) {
    if (!mine || fact.is_null()) {
      if (mine || !fact.is_null())
        differ(
            fmt::format("{}: {} beside {}", where, mine ? "a tensor" : "none", fact.is_null() ? "none" : "a tensor"));
      return;
    }
    TensorMeta a = mine.meta(), b = parse_meta(fact.at("t").string());
    a.requires_grad = b.requires_grad = false;
    if (diff(a, b).is_significant()) return differ(fmt::format("{}: {}, PyTorch says {}", where, a, b));
    const auto values = fact.find("v");
    if (!values) return;
    Tensor expected = make_real_tensor(TensorMeta(b.dtype, b.sizes));
    write_values(parse_values(*values, b), expected);
    if (const auto d = compare_values(mine, expected, tolerance_of(b.dtype)))
      differ(fmt::format("{}: {}", where, to_string(*d)));
  }

  void differ(std::string what) {
    if (different_.empty()) different_ = std::move(what);
  }

  std::map<std::string, Tensor> named_;
  std::map<uint64_t, int64_t> ahead_;  // by storage: how much higher PyTorch's version was when first seen
  std::vector<std::unique_ptr<ContextGuard>> modes_;
  std::vector<Tensor> outcome_;
  std::string different_;
};

/// A backward node that returns one given tensor as gradient.
class Hands final : public GradNode {
 public:
  Hands(Tensor handed, const Tensor& to) : handed_(std::move(handed)) {
    inputs.push_back({DimVec(), DType::F32, kCPU});
    next.push_back(gradient_edge(to));
  }
  std::string_view node_name() const override { return "Hands"; }
  void apply(std::span<const Tensor>, bool, Gradients& outputs) override { outputs.push_back(std::move(handed_)); }

 private:
  Tensor handed_;
};

// GRAD-04, GRAD-05, GRAD-06
TEST(GradientScripts, HaveTheFlagsAndGradientsOfPyTorch) {
  const auto path = facts_file("scripts.jsonl");
  if (!path) GTEST_SKIP() << "ERSATZ_DATA names no folder with recorded scripts";
  std::ifstream file(*path);
  int scripts = 0, different = 0;
  for (std::string line; std::getline(file, line); ++scripts) {
    JsonStream stream(path->string());
    const Json json = stream.parse(line);
    const JsonView::Tree tree{path->string(), "", &json};
    const JsonView script(tree);
    const std::string difference = Script().run(script);
    if (difference.empty()) continue;
    ++different;
    ADD_FAILURE() << script.at("id").string() << ": " << difference;
  }
  EXPECT_GT(scripts, 400);
  std::cout << scripts << " scripts, " << different << " differ\n";
}

TEST(GradientScripts, LeavesTakeGradientsInPyTorchsLayouts) {
  const auto path = facts_file("accumulate.jsonl");
  if (!path) GTEST_SKIP() << "ERSATZ_DATA names no folder with recorded layouts";
  std::ifstream file(*path);
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    JsonStream stream(path->string());
    const Json json = stream.parse(line);
    const JsonView::Tree tree{path->string(), "", &json};
    const JsonView row(tree);
    const auto zeros = [](std::string_view text) {
      const Tensor t = make_real_tensor(parse_meta(text));
      std::fill_n(t.storage()->data(), t.storage()->nbytes().as_int(), std::byte{0});
      return t;
    };
    const Tensor leaf = zeros(row.at("param").string());
    set_requires_grad(leaf);
    const auto existing = row.find("existing");
    const Tensor before = existing ? zeros(existing->string()) : Tensor();
    if (before) set_grad(leaf, before);
    Tensor handed = zeros(row.at("grad").string());
    const uint64_t arriving = handed.impl()->identity();
    const Tensor held = row.at("fresh").integer() ? Tensor() : handed;  // kept alive by its caller
    const Tensor output = make_real_tensor(TensorMeta(DType::F32, {}));
    output.impl()->meta.requires_grad = true;
    need_autograd_meta(output.impl()).edge = Edge(Ref<GradNode>(new Hands(std::move(handed), leaf)), 0);
    std::string raised;
    try {
      backward(std::array{output}, {.create_graph = row.at("create").integer() != 0});
    } catch (const Error& e) {
      raised = e.message;
    }
    SCOPED_TRACE(line);
    if (row.find("err")) {
      EXPECT_NE(raised, "");
      continue;
    }
    ASSERT_EQ(raised, "");
    const Tensor after = grad(leaf);
    const TensorMeta expected = parse_meta(row.at("after").string());
    TensorMeta mine = after.meta();
    mine.requires_grad = false;
    EXPECT_FALSE(diff(mine, expected).is_significant()) << to_string(mine);
    const auto who = row.find("is");
    if (!who) continue;  // without elements, two tensors cannot be told apart
    const std::string_view is = who->string();
    EXPECT_EQ(is == "existing", before && after.is(before));
    EXPECT_EQ(is == "grad", after.impl()->identity() == arriving);
  }
  EXPECT_GT(rows, 500);
}

}  // namespace
}  // namespace ersatz

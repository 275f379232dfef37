#include "tools/calls/replayed_gradients.h"

#include <algorithm>
#include <unordered_map>

#include "fake/crosscheck/value_compare.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/meta_diff.h"
#include "tracer/records/recorded_values.h"

namespace ersatz::tools {

namespace {

std::vector<Tensor> tensors_in(std::span<const Value> values) {
  InlineVec<Value, 3> flat;
  flatten(values, flat);
  std::vector<Tensor> tensors;
  for (const Value& v : flat) tensors.push_back(v.is_tensor() ? v.tensor() : Tensor());
  return tensors;
}

/// Replays one call with gradients, with real tensors or, if `no_real` is set, with fakes.
class GradientReplay {
 public:
  GradientReplay(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const RunOptions& options)
      : engine_(engine), op_(op), record_(record), recorded_(*record.gradients), fake_(options.no_real) {
    answer_.results = static_cast<int64_t>(std::max<size_t>(1, recorded_.results.size() + recorded_.gradients.size()));
  }

  RecordAnswer run() {
    if (!record_.unusable.empty()) return skipped(SkipReason::Unsupported, record_.unusable);
    try {
      const FollowAutograd followed;
      const EnableGrad recorded;
      judge();
    } catch (const Error& e) {
      if (e.kind == ErrorKind::NotSupported) return skipped(SkipReason::Unsupported, e.message);
      answer_.bug = e.kind == ErrorKind::InternalError;
      add(FindingField::Error, e.message, "passes", answer_.bug ? "an error of ersatz itself" : "the call raises");
    }
    if (!answer_.findings.empty()) answer_.verdict = Verdict::Failed;
    answer_.mismatched = std::min<int64_t>(answer_.results, static_cast<int64_t>(answer_.findings.size()));
    answer_.only_values =
        !answer_.findings.empty() && std::all_of(answer_.findings.begin(), answer_.findings.end(),
                                                 [](const Finding& f) { return f.field == FindingField::Value; });
    for (const Finding& f : answer_.findings) engine_.report().findings.push_back(f);
    return std::move(answer_);
  }

 private:
  /// The leaves, flat results and arguments of one forward call.
  struct Forward {
    std::vector<Tensor> leaves, results, arguments;
  };

  void judge() {
    Forward first;
    try {
      first = forward();
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError || e.kind == ErrorKind::NotSupported) throw;
      if (recorded_.forward_error.empty()) add(FindingField::Error, e.message, "passes", "the call, with gradients");
      return;
    }
    if (!recorded_.forward_error.empty()) {
      if (limited()) return;
      return add(FindingField::Error, "passes", recorded_.forward_error, "the call, with gradients");
    }
    compare_results(first);
    if (!recorded_.has_backward) return;
    std::vector<Tensor> made;
    try {
      made = backward_once(first);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      if (!recorded_.backward_error.empty()) return;
      if (e.kind == ErrorKind::NotSupported) throw;
      return add(FindingField::Error, e.message, "passes", "the backward run");
    }
    if (!recorded_.backward_error.empty()) {
      if (limited()) return;
      return add(FindingField::Error, "passes", recorded_.backward_error, "the backward run");
    }
    for (size_t i = 0; i < made.size(); ++i) {
      compare_gradient(made[i], recorded_.gradients.at(i),
                       fmt::format("the gradient of argument {}", recorded_.leaves[i]), true);
    }
    compare_accumulated();
  }

  /// True if PyTorch raises only because of a limit of its derivative formula or kernel. If ersatz has a result, it
  /// counts as an extension.
  bool limited() {
    answer_.extension = recorded_.why == "limitation";
    return answer_.extension;
  }

  /// True if the record has the values of all tensors that the results and gradients are computed from.
  bool has_values() const {
    const auto given = [](const auto& t) { return t.has_values || t.meta.numel().as_int() == 0; };
    return std::all_of(record_.tensors.begin(), record_.tensors.end(), given) &&
           std::all_of(recorded_.incoming.begin(), recorded_.incoming.end(),
                       [&](const auto& g) { return !g || given(*g); });
  }

  Forward forward() {
    Forward f;
    std::vector<Tensor> tensors = fake_ ? fakes() : make_recorded_tensors(record_);
    for (const int i : recorded_.leaves) {
      f.leaves.push_back(tensors.at(static_cast<size_t>(i)));
      set_requires_grad(f.leaves.back());
    }
    for (const int i : recorded_.cloned) {
      Tensor& t = tensors.at(static_cast<size_t>(i));
      t = gradient_ops().clone(t, MemoryFormat::Preserve);
    }
    f.arguments = tensors;
    const std::vector<Value> args = bind_recorded(op_.schema, record_, tensors);
    Values results;
    {
      const ContextGuard mode([&](RuleContext& c) {
        c.grad_mode = recorded_.mode == RecordedGradients::Mode::Grad;
        c.inference_mode = recorded_.mode == RecordedGradients::Mode::Inference;
      });
      results = dispatch(op_, args);
    }
    f.results = tensors_in(std::span<const Value>(results.data(), results.size()));
    return f;
  }

  std::vector<Tensor> fakes() {
    std::unordered_map<int64_t, Ref<Storage>> storages;
    std::vector<Tensor> made;
    for (const RecordedTensor& t : record_.tensors) {
      if (t.is >= 0) {
        made.push_back(made[static_cast<size_t>(t.is)]);
        continue;
      }
      Ref<Storage>& storage = storages[t.storage];
      if (!storage) storage = Storage::make_fake(t.nbytes, t.meta.device);
      made.push_back(engine_.fake_mode().make_on(storage, TensorMeta(t.meta)));
    }
    return made;
  }

  Tensor incoming(const RecordedGradient& g) {
    Ref<Storage> storage =
        fake_ ? Storage::make_fake(g.nbytes, g.meta.device) : Storage::allocate(g.nbytes, g.meta.device);
    if (fake_) return engine_.fake_mode().make_on(storage, TensorMeta(g.meta));
    if (g.nbytes) std::fill_n(storage->data(), g.nbytes, std::byte{0});
    Tensor t{TensorMeta(g.meta), std::move(storage)};
    if (g.has_values) write_values(g.values, t);
    return t;
  }

  /// The outputs that the backward run starts from, and their incoming gradients.
  std::pair<std::vector<Tensor>, BackwardOptions> outputs_of(const Forward& f) {
    std::vector<Tensor> of;
    if (f.results.empty()) {
      for (const auto& [i, flags] : recorded_.after) of.push_back(f.arguments.at(static_cast<size_t>(i)));
    } else {
      for (const Tensor& t : f.results) {
        if (t) of.push_back(t);
      }
    }
    std::vector<Tensor> outputs;
    BackwardOptions options;
    for (size_t i = 0; i < recorded_.incoming.size() && i < of.size(); ++i) {
      if (!recorded_.incoming[i]) continue;
      outputs.push_back(of[i]);
      options.gradients.push_back(incoming(*recorded_.incoming[i]));
    }
    return {std::move(outputs), std::move(options)};
  }

  std::vector<Tensor> backward_once(const Forward& f) {
    auto [outputs, options] = outputs_of(f);
    options.allow_unused = true;
    return grad(outputs, f.leaves, options);
  }

  void compare_accumulated() {
    if (recorded_.accumulated_before_error >= 0) return;
    std::vector<Tensor> leaves;
    for (int pass = 0; pass < 2; ++pass) {
      Forward f = forward();
      if (pass == 0) {
        leaves = f.leaves;
      } else {
        for (size_t i = 0; i < leaves.size(); ++i) set_grad(f.leaves[i], ersatz::grad(leaves[i]));
        leaves = f.leaves;
      }
      auto [outputs, options] = outputs_of(f);
      try {
        backward(outputs, options);
      } catch (const Error& e) {
        if (e.kind == ErrorKind::InternalError) throw;
        return add(FindingField::Error, e.message, "passes", fmt::format("backward run {} into leaves", pass + 1));
      }
      const auto& expected =
          recorded_.accumulated.empty() ? recorded_.gradients : recorded_.accumulated.at(static_cast<size_t>(pass));
      for (size_t i = 0; i < leaves.size(); ++i) {
        compare_gradient(ersatz::grad(leaves[i]), expected.at(i),
                         fmt::format("`.grad` of argument {} after run {}", recorded_.leaves[i], pass + 1), false);
      }
    }
  }

  void compare_results(const Forward& f) {
    size_t r = 0;
    for (size_t i = 0; i < recorded_.results.size(); ++i, ++r) {
      if (r >= f.results.size())
        return add(FindingField::Error, fmt::format("{} results", f.results.size()),
                   fmt::format("{} results", recorded_.results.size()), "the call");
      const Tensor& t = f.results[r];
      if (!t || record_.outcome.results[i].kind != RecordedResult::Kind::Tensor) continue;
      compare_flags(t, recorded_.results[i], fmt::format("result {}", i));
    }
    for (const auto& [i, flags] : recorded_.after) {
      compare_flags(f.arguments.at(static_cast<size_t>(i)), flags, fmt::format("argument {} afterwards", i));
    }
  }

  void compare_flags(const Tensor& t, const RecordedFlags& expected, const std::string& where) {
    const auto check = [&](bool mine, bool theirs, std::string_view what) {
      if (mine != theirs)
        add(FindingField::RequiresGrad, fmt::format("{}={}", what, mine), fmt::format("{}={}", what, theirs), where);
    };
    const bool wanted = requires_grad(t);
    check(wanted, expected.requires_grad, "requires_grad");
    check(is_leaf(t), expected.leaf, "is_leaf");
    check(is_view(t), expected.view, "is_view");
    check(t.meta().inference, expected.inference, "is_inference");
    const GradNode* node = grad_fn(t);
    const std::string name = node ? std::string(node->node_name()) : "None";
    const std::string theirs = expected.node.empty() ? "None" : expected.node;
    if (name != theirs && !theirs.ends_with("NotImplemented")) {
      add(FindingField::RequiresGrad, "grad_fn=" + name, "grad_fn=" + theirs, where);
    }
  }

  void compare_gradient(const Tensor& mine, const std::optional<RecordedGradient>& theirs, const std::string& where,
                        bool values) {
    if (static_cast<bool>(mine) != theirs.has_value()) {
      return add(FindingField::RequiresGrad, mine ? to_string(mine.meta()) : "no gradient",
                 theirs ? to_string(theirs->meta) : "no gradient", where);
    }
    if (!mine) return;
    TensorMeta a = mine.meta(), b = theirs->meta;
    a.requires_grad = b.requires_grad = false;
    const MetaDiff difference = diff(a, b);
    for (const MetaField f : difference.significant) add(field_of(f), to_string(a), to_string(b), where);
    if (!difference.significant.empty()) return;
    if (!values || fake_ || !theirs->has_values || record_.random || !has_values()) return;
    RecordedTensor as_recorded;
    as_recorded.meta = theirs->meta;
    as_recorded.values = theirs->values;
    as_recorded.has_values = true;
    ++answer_.values_compared;
    const auto d = compare_values(mine, recorded_values(as_recorded, mine.meta()), tolerance_of(mine.dtype()));
    if (d) add(FindingField::Value, to_string(mine), to_string(*d), where);
  }

  void add(FindingField field, std::string predicted, std::string observed, const std::string& where) {
    Finding f;
    f.node = record_.id;
    f.op = op_.name;
    f.field = field;
    f.predicted = std::move(predicted);
    f.observed = std::move(observed);
    f.witness = Witness::Record;
    f.verdict = "significant";
    f.cause = where;
    for (const RecordedTensor& t : record_.tensors) f.args.push_back(to_string(t.meta));
    answer_.findings.push_back(std::move(f));
  }

  RecordAnswer skipped(SkipReason reason, std::string why) {
    answer_.verdict = Verdict::Skipped;
    answer_.reason = reason;
    answer_.why = std::move(why);
    return std::move(answer_);
  }

  Crosscheck& engine_;
  const OpEntry& op_;
  const CallRecord& record_;
  const RecordedGradients& recorded_;
  const bool fake_;
  RecordAnswer answer_;
};

}  // namespace

RecordAnswer replay_gradients(Crosscheck& engine, const OpEntry& op, const CallRecord& record,
                              const RunOptions& options) {
  return GradientReplay(engine, op, record, options).run();
}

}  // namespace ersatz::tools

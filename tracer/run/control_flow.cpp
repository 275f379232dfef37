#include "tracer/run/control_flow.h"

#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "tracer/run/branch_gradients.h"
#include "tracer/run/nested_graph.h"
#include "tracer/run/tagged_call.h"

namespace ersatz {
namespace {

using Operands = std::vector<Value>;

std::span<const Arg> args_of(const Program& p, const Node& node) { return p.view(node.args); }
/// Returns the number of values in a list argument.
size_t length_of(const Program& p, const Arg& a) {
  if (a.kind == Arg::Kind::List) return p.list(a).size();
  const bool list = a.kind == Arg::Kind::Literal &&
                    (p.literal(a).kind() == Value::Kind::List || p.literal(a).kind() == Value::Kind::IntList);
  if (!list) fail_argument("an argument of a higher-order node is no list of operands");
  return p.literal(a).as_list().size();
}
Operands items_of(const Value& list) {
  Operands items;
  for (const Value& v : list.as_list()) items.push_back(v);
  return items;
}
Operands joined(const Operands& a, const Operands& b, const Operands& c = {}) {
  Operands all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}
void give(CompositeCall& call, Operands results) {
  for (Value& v : results) call.returns(std::move(v));
}

Operands unknown_like(const Operands& values) {
  Operands unknown;
  for (const Value& v : values) unknown.push_back(unknown_like(v));
  return unknown;
}

bool is_same(const Value& a, const Value& b) {
  if (!a.is_tensor() || !b.is_tensor()) return to_string(a) == to_string(b);
  const TensorMeta &x = a.tensor_impl()->meta, &y = b.tensor_impl()->meta;
  return x.dtype == y.dtype && x.device == y.device && sym_eq(x.sizes, y.sizes) && sym_eq(x.strides, y.strides);
}
std::string in_words(const Value& v) { return v.is_tensor() ? to_string(v.tensor_impl()->meta) : to_string(v); }

/// RAISES DataDependentOutput unless the metadata of `a` and `b` are equal. They are the results of both graphs, or the
/// carried values before and after an iteration. A predicate without a value decides which of them the node returns.
void require_alike(const RuleCall& call, std::string_view what, const Operands& a, const Operands& b) {
  for (size_t k = 0; k < a.size(); ++k) {
    if (is_same(a[k], b[k])) continue;
    fail(ErrorKind::DataDependentOutput, ErrorFamily::Runtime,
         "{}: result {} depends on data that is not there: {} {} and {}", call.op.base(), k, what, in_words(a[k]),
         in_words(b[k]));
  }
}

class Cond final : public HigherOrderOp {
 public:
  Cond(const Program& p, const Node& node, const PrepareOptions& options)
      : HigherOrderOp(p, node, {args_of(p, node)[0], args_of(p, node)[3]}),
        yes_(*this, p, args_of(p, node)[1], length_of(p, operands[1]), schema.returns.size(), options),
        no_(*this, p, args_of(p, node)[2], length_of(p, operands[1]), schema.returns.size(), options) {
    with_composite([](CompositeCall& call) { static_cast<const Cond&>(call.op).run(call); });
  }

 private:
  void run(CompositeCall& call) const {
    const Operands inputs = items_of(call.args[1]);
    const BranchGradients gradients("CondAutogradOpBackward", inputs);
    if (const std::optional<bool> holds = truth_of(call.args[0])) {
      Operands results = (*holds ? yes_ : no_).run(inputs);
      gradients.follow(results, results);
      return give(call, std::move(results));
    }
    const Operands yes = yes_.run(inputs);
    require_alike(call, "its graphs return", yes, no_.run(inputs));
    Operands results = unknown_like(yes);
    gradients.follow(results, yes);
    give(call, std::move(results));
  }

  NestedGraph yes_, no_;
};

class WhileLoop final : public HigherOrderOp {
 public:
  WhileLoop(const Program& p, const Node& node, const PrepareOptions& options)
      : HigherOrderOp(p, node, {args_of(p, node)[2], args_of(p, node)[3]}),
        inputs_(length_of(p, operands[0]) + length_of(p, operands[1])),
        more_(*this, p, args_of(p, node)[0], inputs_, 1, options),
        body_(*this, p, args_of(p, node)[1], inputs_, length_of(p, operands[0]), options) {
    with_composite([](CompositeCall& call) { static_cast<const WhileLoop&>(call.op).run(call); });
  }

 private:
  void run(CompositeCall& call) const {
    Operands carried = items_of(call.args[0]);
    const Operands others = items_of(call.args[1]);
    const BranchGradients gradients("WhileLoopAutogradOpBackward", joined(carried, others));
    for (bool first = true;; first = false) {
      const Operands inputs = joined(carried, others);
      const Value pred = more_.run(inputs)[0];
      const bool scalar = pred.is_tensor() ? pred.tensor().dim() == 0 && pred.tensor().dtype() == DType::Bool
                                           : pred.kind() == Value::Kind::Bool;
      call.require(scalar, "", "its condition has to return a bool or a bool tensor without dims, it returned {}",
                   in_words(pred));
      const std::optional<bool> again = truth_of(pred);
      if (!again) return give(call, after_some(call, carried, others, gradients));
      if (!*again) {
        // A loop without iterations returns copies of its arguments, not the arguments.
        if (first) std::transform(carried.begin(), carried.end(), carried.begin(), clone_of);
        gradients.follow(carried, carried);
        return give(call, std::move(carried));
      }
      carried = body_.run(inputs);
    }
  }
  /// Returns the carried values if the number of iterations is unknown.
  Operands after_some(const CompositeCall& call, const Operands& carried, const Operands& others,
                      const BranchGradients& gradients) const {
    const Operands before = unknown_like(carried);
    const Operands after = body_.run(joined(before, others));
    require_alike(call, "before and after an iteration it is", before, after);
    Operands results = unknown_like(after);
    gradients.follow(results, after);
    return results;
  }

  size_t inputs_;
  NestedGraph more_, body_;
};

/// Runs a graph for each slice of some tensors. Carries values from one step to the next.
class SliceLoop : public HigherOrderOp {
 protected:
  /// `lists` are the node's lists of operands. The list with number `of_xs` has the tensors that are sliced.
  SliceLoop(const Program& p, const Node& node, std::vector<Arg> lists, size_t of_xs, const PrepareOptions& options)
      : HigherOrderOp(p, node, std::move(lists)),
        xs_(of_xs),
        body_(*this, p, args_of(p, node)[0], count_inputs(p), result_count(p, node), options) {}

  SymInt steps(const CompositeCall& call, const Operands& xs) const {
    for (const Value& x : xs) {
      call.require(x.is_tensor() && x.tensor().dim() > 0, "", "what is sliced has to have a dim 0, it is {}",
                   in_words(x));
      call.require(check_eq(x.tensor().size(0), xs[0].tensor().size(0)), "",
                   "what is sliced has to have as many slices: {} and {}", in_words(xs[0]), in_words(x));
    }
    return xs[0].tensor().size(0);
  }
  /// Returns zeros with the metadata that stacking `steps` tensors like `of_one` gives. It is used if the values are
  /// unknown, or if `steps` is 0.
  static Value stand_in(const Value& of_one, const SymInt& steps) {
    if (!of_one.is_tensor()) return of_one;
    DimVec sizes{steps};
    for (const SymInt& s : of_one.tensor_impl()->meta.sizes) sizes.push_back(s);
    return zeros_like(of_one, sizes);
  }
  static Operands slices_of(const Operands& xs, const SymInt& index) {
    Operands slices;
    for (const Value& x : xs) slices.push_back(slice_of(x, index));
    return slices;
  }
  Operands run_body(const Operands& inputs) const { return body_.run(inputs); }

  size_t xs_;

 private:
  size_t count_inputs(const Program& p) const {
    size_t n = 0;
    for (const Arg& a : operands) n += length_of(p, a);
    return n;
  }
  static size_t result_count(const Program& p, const Node& node) { return p.view(node.results).size(); }

  NestedGraph body_;
};

class Scan final : public SliceLoop {
 public:
  Scan(const Program& p, const Node& node, const PrepareOptions& options)
      : SliceLoop(p, node, {args_of(p, node)[1], args_of(p, node)[2], args_of(p, node)[3]}, 1, options) {
    with_composite([](CompositeCall& call) { static_cast<const Scan&>(call.op).run(call); });
  }

 private:
  void run(CompositeCall& call) const {
    Operands carried = items_of(call.args[0]);
    const Operands xs = items_of(call.args[xs_]), others = items_of(call.args[2]);
    if (xs.empty()) return give(call, std::move(carried));
    const SymInt n = steps(call, xs);
    const auto step = [&](const Operands& slices) {
      Operands made = run_body(joined(carried, slices, others));
      const auto split = made.begin() + static_cast<ptrdiff_t>(carried.size());
      Operands added(split, made.end());
      made.erase(split, made.end());
      return std::pair(std::move(made), std::move(added));
    };
    if (n.is_int() && n.as_int() > 0) {
      std::vector<Operands> added;
      for (int64_t i = 0; i < n.as_int(); ++i) {
        Operands slices = slices_of(xs, i);
        // The first step gets copies of the slices, as in PyTorch.
        if (i == 0) std::transform(slices.begin(), slices.end(), slices.begin(), row_major_copy);
        Operands of_step;
        std::tie(carried, of_step) = step(slices);
        added.resize(of_step.size());
        for (size_t k = 0; k < of_step.size(); ++k)
          added[k].push_back(of_step[k].is_tensor() ? row_major_copy(of_step[k]) : of_step[k]);
      }
      for (const Operands& all : added) carried.push_back(stack_of(all));
      return give(call, std::move(carried));
    }
    Operands slices;
    for (const Value& x : xs) slices.push_back(zeros_like(x, without_first(x)));
    const auto [after, added] = step(slices);
    if (!n.is_int()) {
      require_alike(call, "before and after a step it is", carried, after);
      carried = unknown_like(carried);
    }
    for (const Value& v : added) carried.push_back(stand_in(v, n));
    give(call, std::move(carried));
  }
  static DimVec without_first(const Value& x) {
    DimVec sizes = x.tensor_impl()->meta.sizes;
    sizes.erase(0);
    return sizes;
  }
};

class Map final : public SliceLoop {
 public:
  Map(const Program& p, const Node& node, const PrepareOptions& options)
      : SliceLoop(p, node, {args_of(p, node)[1], args_of(p, node)[2]}, 0, options) {
    with_composite([](CompositeCall& call) { static_cast<const Map&>(call.op).run(call); });
  }

 private:
  void run(CompositeCall& call) const {
    const Operands xs = items_of(call.args[xs_]), others = items_of(call.args[1]);
    call.require(!xs.empty(), "", "there is nothing to slice");
    const SymInt n = steps(call, xs);
    call.require(check_ne(n, 0), "", "there has to be a slice at least: {}", in_words(xs[0]));
    const int64_t times = n.is_int() ? n.as_int() : 1;
    std::vector<Operands> made;
    for (int64_t i = 0; i < times; ++i) {
      const Operands of_slice = run_body(joined(slices_of(xs, i), others));
      made.resize(of_slice.size());
      for (size_t k = 0; k < of_slice.size(); ++k) made[k].push_back(of_slice[k]);
    }
    for (const Operands& all : made) call.returns(n.is_int() ? stack_of(all) : stand_in(all[0], n));
  }
};

/// A call of an operator with side effects. A token argument orders it relative to other calls with side effects.
class WithEffects final : public HigherOrderOp {
 public:
  WithEffects(const Program& p, const Node& node)
      : HigherOrderOp(p, node, operands_of(p, node)), called_(p.ops[args_of(p, node)[1].index].entry) {
    if (!called_) missing.emplace_back(p.name(p.ops[args_of(p, node)[1].index].name));
    for (const Arg& a : operands) keywords_.emplace_back(a.name ? p.name(a.name) : "");
    with_composite([](CompositeCall& call) { static_cast<const WithEffects&>(call.op).run(call); });
  }

 private:
  static std::vector<Arg> operands_of(const Program& p, const Node& node) {
    const std::span<const Arg> args = args_of(p, node);
    std::vector<Arg> all(args.begin(), args.end());
    all.erase(all.begin() + 1);
    return all;
  }
  void run(CompositeCall& call) const {
    Operands positional;
    std::vector<std::pair<std::string, Value>> keywords;
    for (size_t i = 1; i < call.args.size(); ++i) {
      if (keywords_[i].empty())
        positional.push_back(call.args[i]);
      else
        keywords.emplace_back(keywords_[i], call.args[i]);
    }
    Values results = ersatz::call(*called_, positional, keywords);
    call.returns(clone_of(call.args[0]));
    if (results.empty()) call.returns(Value());
    for (Value& v : results) call.returns(std::move(v));
  }

  const OpEntry* called_;
  std::vector<std::string> keywords_;  // for each operand, its keyword; empty: it is positional
};

}  // namespace

std::unique_ptr<HigherOrderOp> control_flow_op(const Program& p, const Node& node, const PrepareOptions& options) {
  const std::string_view kind = p.name(p.op(node).name);
  const std::span<const Arg> args = args_of(p, node);
  const auto is = [&](std::string_view name, std::initializer_list<size_t> graphs, size_t count) {
    if (kind != name || args.size() < count) return false;
    return std::all_of(graphs.begin(), graphs.end(), [&](size_t i) { return args[i].kind == Arg::Kind::Graph; });
  };
  if (is("higher_order.cond", {1, 2}, 4)) return std::make_unique<Cond>(p, node, options);
  if (is("higher_order.while_loop", {0, 1}, 4)) return std::make_unique<WhileLoop>(p, node, options);
  if (is("higher_order.scan", {0}, 4)) return std::make_unique<Scan>(p, node, options);
  if (is("higher_order.map_impl", {0}, 3)) return std::make_unique<Map>(p, node, options);
  if (is("higher_order.with_effects", {}, 2) && args[1].kind == Arg::Kind::Operator)
    return std::make_unique<WithEffects>(p, node);
  return nullptr;
}

}  // namespace ersatz

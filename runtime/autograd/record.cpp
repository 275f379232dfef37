#include "runtime/autograd/record.h"

#include <algorithm>

#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/autograd/operator_node.h"
#include "runtime/autograd/view_nodes.h"
#include "runtime/op/composite_body.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/may_view_tag.h"

namespace ersatz {

namespace {

void require_followable_writes(const OpEntry& op, std::span<const Value> args) {
  for (const uint16_t i : op.written) {
    for_each_tensor(args.subspan(i, 1), [&](TensorImpl* impl) {
      const Tensor t{Ref<TensorImpl>(impl)};
      const AutogradMeta* a = autograd_meta(impl);
      if (a && a->base) {
        if (a->creation == ViewCreation::Multiple) {
          fail_argument(
              "{}: {} is one of several views that one call returned, and is being modified inplace: autograd does not "
              "allow that; return its copy instead",
              op.base(), t.meta());
        }
        if (a->creation == ViewCreation::NoGrad) {
          fail_argument(
              "{}: {} is a view and is being modified inplace. It was created in no_grad mode, and a gradient through "
              "the write cannot reach its base",
              op.base(), t.meta());
        }
        if (a->creation == ViewCreation::Function) {
          fail_argument(
              "{}: {} is a view and is being modified inplace. This view was created inside a custom Function, whose "
              "own backward the write would override; clone the output of the Function",
              op.base(), t.meta());
        }
        // PyTorch also refuses the write if the base requires no gradient now, but did when the view got its node.
        if ((requires_grad(a->base) || requires_grad(t)) && is_leaf(a->base)) {
          fail_argument(
              "a view of a leaf Variable that requires grad is being used in an in-place operation: {} writes {}",
              op.base(), t.meta());
        }
      }
      if (requires_grad(t) && is_leaf(t)) {
        fail_argument("a leaf Variable that requires grad is being used in an in-place operation: {} writes {}",
                      op.base(), t.meta());
      }
    });
  }
}

[[noreturn]] void refuse_out(const OpEntry& op) {
  fail_argument(
      "{}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
      "requires "
      "grad",
      op.base());
}

/// For `detach_`: makes the written tensors leaves again. Raises a Runtime error for a view.
void forget_history(const OpEntry& op, std::span<const Value> args) {
  for (const uint16_t i : op.written) {
    for_each_tensor(args.subspan(i, 1), [&](TensorImpl* t) {
      AutogradMeta* a = autograd_meta(t);
      if (a && a->base)
        fail_argument("{}: {} is a view, which cannot be detached in place; use detach()", op.base(), t->meta);
      if (a) a->edge = {};
      t->meta.requires_grad = false;
    });
  }
}

/// For `resize_`: raises a Runtime error if a written tensor requires a gradient.
void require_no_gradient(const OpEntry& op, std::span<const Value> args) {
  for (const uint16_t i : op.written) {
    for_each_tensor(args.subspan(i, 1), [&](TensorImpl* t) {
      if (!requires_grad(Tensor(Ref<TensorImpl>(t)))) return;
      fail_argument("{}: cannot resize variables that require grad: {}; resize its detach()", op.base(), t->meta);
    });
  }
}

void refuse_writes_of_inference(const OpEntry& op, std::span<const Value> args) {
  for (const uint16_t i : op.written) {
    for_each_tensor(args.subspan(i, 1), [&](const TensorImpl* t) {
      if (!t->meta.inference) return;
      fail_argument(
          "{}: an inplace update to the inference tensor {} outside of InferenceMode is not allowed; clone it",
          op.base(), t->meta);
    });
  }
}

/// Sets AutogradMeta::base of the results that are views of an argument.
void follow_views(const OpEntry& op, std::span<const Value> args, const Values& results) {
  if (op.derivative.kind == DerivativeRow::Kind::NoGradient) return;  // `detach` makes no view that autograd tracks
  const ViewCreation creation = op.returns_list || results.size() > 1 ? ViewCreation::Multiple
                                : rule_context().grad_mode            ? ViewCreation::Default
                                                                      : ViewCreation::NoGrad;
  for_each_tensor(std::span<const Value>(results.data(), results.size()), [&](TensorImpl* made) {
    TensorImpl* source = nullptr;
    for_each_tensor(args, [&](TensorImpl* t) {
      if (!source && t->storage == made->storage) source = t;
    });
    if (!source || source == made || source->meta.inference) return;
    const AutogradMeta* of = autograd_meta(source);
    AutogradMeta& a = need_autograd_meta(made);
    a.base = of && of->base ? of->base : Tensor(Ref<TensorImpl>(source));
    a.version = made->storage->version();
    a.creation = of && of->base && of->creation != ViewCreation::Default ? of->creation : creation;
  });
}

bool wants_gradient(std::span<const Value> args) {
  bool any = false;
  for_each_tensor(args, [&](TensorImpl* t) {
    any = any || t->meta.requires_grad || (t->autograd && requires_grad(Tensor(Ref<TensorImpl>(t))));
  });
  return any;
}

void run_below(const OpEntry& op, std::span<const Value> args, Values& results, RunCall below) {
  {
    const ExcludeAutograd excluded;
    below(op, args, results);
  }
  if (op.tags.has(kMayViewTag)) follow_views(op, args, results);
}

/// Makes the node of one call: the constructor runs before the call, finish() after it.
class Recording {
 public:
  Recording(const Derivative& derivative, std::string_view name, std::span<const Value> args,
            std::span<const uint16_t> written)
      : derivative_(derivative), replaces_(!written.empty()), node_(new OperatorNode(derivative, name)) {
    if (derivative.verdict == GradientVerdict::Missing) {
      for_each_tensor(args, [&](TensorImpl* t) {
        node_->next.push_back(gradient_edge(Tensor(Ref<TensorImpl>(t))));
        of_edges_.push_back(t);
      });
      return;
    }
    if (!node_->connect(args)) {
      node_ = {};
      return;
    }
    node_->save_arguments(args, written);
    if (written.empty()) return;
    for (const uint16_t i : derivative.arguments) {
      if (args[i].kind() == Value::Kind::List) {
        for (const Value& v : args[i].as_list()) of_edges_.push_back(v.is_tensor() ? v.tensor_impl() : nullptr);
      } else {
        of_edges_.push_back(args[i].is_tensor() ? args[i].tensor_impl() : nullptr);
      }
    }
  }

  const Ref<OperatorNode>& node() const { return node_; }
  /// Returns whether there is a node. There is none if no argument that can have a gradient requires one.
  explicit operator bool() const { return static_cast<bool>(node_); }

  /// Makes the node the grad_fn of the results. `own` has the results of the call, `flat` these results with lists
  /// flattened, and `written` the tensors that the call wrote.
  void finish(std::span<const Value> own, std::span<const Value> flat, std::span<TensorImpl* const> written) {
    for (const Value& v : flat) {
      GradientShape shape;
      if (v.is_tensor()) {
        const TensorMeta& m = v.tensor_impl()->meta;
        shape = {m.sizes, m.dtype, m.device};
      }
      node_->inputs.push_back(std::move(shape));
    }
    for (size_t i = 0; i < flat.size(); ++i) {
      if (!flat[i].is_tensor() || !is_differentiable(flat[i].tensor_impl()->meta.dtype)) continue;
      if (!(derivative_.parsed.results >> std::min<size_t>(i, 63) & 1)) continue;
      const Tensor t = flat[i].tensor();
      const bool is_written = std::find(written.begin(), written.end(), t.impl()) != written.end();
      // An argument that is returned unchanged keeps its history, so the call needs no derivative.
      if (!is_written && derivative_.verdict == GradientVerdict::Missing && is_of_edges(t.impl())) continue;
      Edge edge(Ref<GradNode>(node_), static_cast<uint32_t>(i));
      if (is_written) {
        set_written_history(t, edge, of_edges_, derivative_.op->tags.has(Tag::InplaceView));
      } else {
        set_history(t, std::move(edge));
      }
    }
    if (!replaces_) node_->note_versions();
    if (derivative_.verdict == GradientVerdict::Row) node_->save_results(own);
  }

 private:
  bool is_of_edges(const TensorImpl* t) const {
    return std::find(of_edges_.begin(), of_edges_.end(), t) != of_edges_.end();
  }

  const Derivative& derivative_;
  bool replaces_;  // the call writes its results into arguments
  Ref<OperatorNode> node_;
  std::vector<const TensorImpl*> of_edges_;
};

std::vector<TensorImpl*> written_tensors(const OpEntry& op, std::span<const Value> args) {
  std::vector<TensorImpl*> written;
  for (const uint16_t i : op.written) {
    for_each_tensor(args.subspan(i, 1), [&](TensorImpl* t) { written.push_back(t); });
  }
  return written;
}

/// Raises a Runtime error if an argument requires a gradient that the derivative marks as `refused`.
void require_differentiable(const OpEntry& op, const Derivative& derivative, std::span<const Value> args) {
  for (const uint16_t i : derivative.parsed.refused) {
    for_each_tensor(args.subspan(i, 1), [&](TensorImpl* t) {
      if (!requires_grad(Tensor(Ref<TensorImpl>(t)))) return;
      fail_argument("{}: the derivative for '{}' is not implemented, and it requires a gradient: {}", op.base(),
                    op.schema.arguments[i].name, t->meta);
    });
  }
}
void require_real_results(const OpEntry& op, const Derivative& derivative, std::span<const Value> flat) {
  if (!derivative.real_only || !op.written.empty()) return;
  for (const Value& v : flat) {
    if (!v.is_tensor() || !is_complex(v.tensor_impl()->meta.dtype)) continue;
    fail(ErrorKind::InvalidArgument, ErrorFamily::NotImplemented,
         "{} does not support automatic differentiation for outputs with complex dtype", op.base());
  }
}

/// Returns the positions of the written arguments that the call also returns. Formulas read the old values of these
/// arguments, and the new values of other written arguments (for example `noise` of rrelu_with_noise).
InlineVec<uint16_t, 2> replaced_arguments(const OpEntry& op) {
  InlineVec<uint16_t, 2> replaced;
  for (const uint16_t i : op.written) {
    const std::optional<AliasInfo>& alias = op.schema.arguments[i].alias;
    const auto returns_it = [&](const Argument& r) { return r.alias && alias && r.alias->before == alias->before; };
    const auto& returns = op.schema.returns;
    if (returns.empty() || std::any_of(returns.begin(), returns.end(), returns_it)) replaced.push_back(i);
  }
  return replaced;
}

void record_row(const OpEntry& op, const Derivative& derivative, std::span<const Value> args, Values& results,
                RunCall below) {
  require_followable_writes(op, args);
  require_differentiable(op, derivative, args);
  const InlineVec<uint16_t, 2> replaced = replaced_arguments(op);
  Recording recording(derivative, {}, args, replaced);
  if (!recording) return run_below(op, args, results, below);
  const size_t first = results.size();
  run_below(op, args, results, below);
  Values own;
  for (size_t i = first; i < results.size(); ++i) own.push_back(results[i].borrowed());
  InlineVec<Value, 3> flattened;
  std::span<const Value> flat(own.data(), own.size());
  if (own.empty()) {
    for (const uint16_t i : op.written) flatten(args.subspan(i, 1), flattened);
    flat = flattened;
  } else if (op.returns_list) {
    flatten(flat, flattened);
    flat = flattened;
  }
  require_real_results(op, derivative, flat);
  for (const uint16_t i : op.written) {
    if (std::find(replaced.begin(), replaced.end(), i) == replaced.end()) recording.node()->note_versions(i);
  }
  recording.finish(own, flat, written_tensors(op, args));
}

/// Returns the arguments of `item`, the operator that takes one item, for item `i` of a call on lists. An argument is
/// found by name if both operators have it, else by position.
std::vector<Value> arguments_of_item(const OpEntry& op, std::span<const Value> args, const OpEntry& item, size_t i) {
  std::vector<Value> of_item;
  for (size_t k = 0; k < item.schema.arguments.size(); ++k) {
    const Argument& a = item.schema.arguments[k];
    int from = op.schema.find_argument(a.name);
    if (from < 0 && k < args.size() && item.schema.find_argument(op.schema.arguments[k].name) < 0)
      from = static_cast<int>(k);
    if (from < 0) {
      of_item.push_back(a.default_value ? *a.default_value : Value());
      continue;
    }
    const Value& v = args[static_cast<size_t>(from)];
    if (a.type.is_list()) {
      of_item.push_back(v);
    } else if (v.kind() == Value::Kind::List) {
      of_item.push_back(v.as_list()[i]);
    } else if (v.kind() == Value::Kind::IntList) {
      of_item.push_back(v.as_ints()[i]);
    } else {
      of_item.push_back(v);
    }
  }
  return of_item;
}

/// Records a call on lists (`_foreach_mul`): each item gets an OperatorNode of the operator that takes one item. Unless
/// the call is in-place, an ItemsNode holds these nodes.
void record_items(const OpEntry& op, const Derivative& derivative, std::span<const Value> args, Values& results,
                  RunCall below) {
  require_followable_writes(op, args);
  const Derivative& each = derivative_of(*derivative.of_item);
  const bool in_place = !op.written.empty();
  constexpr uint16_t kFirst[] = {0};
  const std::span<const uint16_t> written = in_place ? std::span<const uint16_t>(kFirst) : std::span<const uint16_t>();
  const size_t count = args[0].as_list().size();
  std::vector<Recording> recordings;
  for (size_t i = 0; i < count; ++i) {
    recordings.emplace_back(each, std::string_view(), arguments_of_item(op, args, *derivative.of_item, i), written);
  }
  const size_t first = results.size();
  run_below(op, args, results, below);
  const std::vector<TensorImpl*> all_written = written_tensors(op, args);
  const Value items = in_place ? args[0].borrowed() : results[first].borrowed();
  Ref<ItemsNode> whole(in_place ? nullptr : new ItemsNode(derivative.node));
  for (size_t i = 0; i < count; ++i) {
    const Value one[] = {items.as_list()[i].borrowed()};
    if (recordings[i]) recordings[i].finish(one, one, all_written);
    if (whole) whole->add(recordings[i].node(), one[0].tensor());
  }
  for (size_t i = 0; whole && i < count; ++i) {  // all items share one node, the ItemsNode, so each result requires a
                                                 // gradient
    const Tensor t = items.as_list()[i].tensor();
    if (is_differentiable(t.dtype())) set_history(t, Edge(Ref<GradNode>(whole), static_cast<uint32_t>(i)));
  }
}

/// Runs the functional form of an `out=` form, which is recorded, and copies its results into the `out=` arguments.
void record_copied(const Derivative& derivative, std::span<const Value> args, Values& results) {
  Values made;
  const size_t inputs = derivative.returns->schema.arguments.size();
  dispatch(*derivative.returns, args.first(inputs), made);
  for (size_t i = 0; i < made.size(); ++i) {
    const Tensor out = args[inputs + i].tensor();
    gradient_ops().copy_resized(out, made[i].tensor());
    results.emplace_back(out);
  }
}

}  // namespace

bool gets_own_node(const OpEntry& op, std::span<const Value> args) {
  const RuleContext& context = rule_context();
  if (!context.grad_mode || context.inference_mode || detail::t_autograd_excluded || !wants_gradient(args))
    return false;
  const GradientVerdict verdict = derivative_of(op).verdict;
  return verdict == GradientVerdict::Row || verdict == GradientVerdict::Items;
}

void record_call(const OpEntry& op, std::span<const Value> args, Values& results, RunCall below) {
  const RuleContext& context = rule_context();
  if (!context.inference_mode) refuse_writes_of_inference(op, args);
  if (op.derivative.kind == DerivativeRow::Kind::NoGradient && !op.derivative.text.empty()) {
    if (!context.inference_mode) {
      op.derivative.text == kResizes ? require_no_gradient(op, args) : forget_history(op, args);
    }
    return run_below(op, args, results, below);
  }
  if (!context.grad_mode || context.inference_mode || !wants_gradient(args)) return run_below(op, args, results, below);
  const Derivative& derivative = derivative_of(op);
  switch (derivative.verdict) {
    case GradientVerdict::Parts: {
      CompositeCall call(op, args, results);
      call.device = device_of_call(args, context.default_device);
      return op.parts()(call);
    }
    case GradientVerdict::Copied:
      return record_copied(derivative, args, results);
    case GradientVerdict::NoGradient:
      return run_below(op, args, results, below);
    case GradientVerdict::Refused:
      fail(ErrorKind::InvalidArgument, ErrorFamily::NotImplemented,
           "{}: the operator is not differentiable, and one of its arguments requires a gradient", op.base());
    case GradientVerdict::Items:
      return record_items(op, derivative, args, results, below);
    case GradientVerdict::Row:
    case GradientVerdict::Missing:
      if (derivative.refuses_out) refuse_out(op);
      return record_row(op, derivative, args, results, below);
  }
}

}  // namespace ersatz

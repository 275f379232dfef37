#include "runtime/autograd/record.h"

#include <algorithm>

#include "runtime/autograd/derivative.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/composite_body.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/may_view_tag.h"

namespace ersatz {

namespace {

bool is_differentiable(DType t) { return is_float(t) || is_complex(t); }

// ---- Saved values --------------------------------------------------------------------------------------------------

/// A tensor that backward needs. It is kept without its history, so that no tensor keeps itself alive; a leaf that
/// requires a gradient is kept as it is.
struct SavedTensor {
  Tensor data;
  Edge edge;  // of the tensor that was saved; empty for a result of the call itself
  uint32_t version = 0;
  int16_t result = -1;  // number among the call's results; -1: an argument
};

SavedTensor save(const Tensor& t, int16_t result) {
  if (t.meta().inference) {
    fail_argument("inference tensors cannot be saved for backward: {} was made in inference mode; clone it outside",
                  t.meta());
  }
  SavedTensor s;
  s.version = t.version();
  s.result = result;
  const bool leaf = result < 0 && t.meta().requires_grad && !grad_fn(t);
  s.data = leaf ? t : without_history(t);
  if (result < 0) s.edge = gradient_edge(t);
  return s;
}

/// A value of a call that its formulas read: a number, a list, a tensor or a list of tensors.
struct SavedValue {
  Value plain;  // what is no tensor
  InlineVec<SavedTensor, 1> tensors;
  bool is_list = false;
};

[[noreturn]] void raise_changed(const SavedTensor& s, std::string_view node) {
  fail_argument(
      "one of the variables needed for gradient computation has been modified by an inplace operation: {}, which {} "
      "saved, "
      "is at version {}; expected version {} instead",
      s.data.meta(), node, s.data.version(), s.version);
}

// ---- The node of an operator ---------------------------------------------------------------------------------------

class OperatorNode final : public GradNode {
 public:
  /// `name`: what the node is called, where it is not the derivative's own.
  explicit OperatorNode(const Derivative& derivative, std::string_view name = {})
      : derivative_(derivative), name_(name.empty() ? std::string_view(derivative.node) : name) {}

  std::string_view node_name() const override { return name_; }

  void visit_saved(const std::function<void(const Tensor&)>& f) const override {
    for (const SavedValue& v : saved_) {
      for (const SavedTensor& t : v.tensors) {
        if (t.data) f(t.data);
      }
    }
  }

  /// Appends the edges of the arguments; true where any of them leads somewhere.
  bool connect(std::span<const Value> args) {
    uint32_t bit = 0;
    for (const uint16_t i : derivative_.arguments) {
      const size_t before = next.size();
      bool any = false;
      const auto add = [&](const Value& v) {
        next.push_back(v.is_tensor() ? gradient_edge(v.tensor()) : Edge());
        any |= static_cast<bool>(next.back());
      };
      if (args[i].kind() == Value::Kind::List) {
        for (const Value& v : args[i].as_list()) add(v);
      } else {
        add(args[i]);
      }
      counts_.push_back(static_cast<uint16_t>(next.size() - before));
      if (any) needed_ |= 1u << bit;
      ++bit;
    }
    return needed_ != 0;
  }

  /// What the statements that are needed mention of the arguments. Called before the call: it may write them.
  void save_arguments(std::span<const Value> args, std::span<const uint16_t> written) {
    parts_ = 0;
    uint32_t bit = 0;
    for (const GradientStatement& s : derivative_.parsed.statements) {
      for (size_t k = 0; k < s.arguments.size(); ++k) {
        if (needed_ >> (bit + k) & 1) parts_ |= s.parts;
      }
      bit += static_cast<uint32_t>(s.arguments.size());
    }
    const auto& parts = derivative_.parsed.parts;
    saved_.resize(parts.size());
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!(parts_ >> i & 1) || parts[i].of != SavedPart::Of::Argument) continue;
      const Value& v = args[parts[i].index];
      const bool is_written = std::find(written.begin(), written.end(), parts[i].index) != written.end();
      keep(saved_[i], parts[i].what, v, -1, is_written);
    }
  }

  /// An operator may move versions of arguments that it saves (running statistics): backward reads what it left.
  void note_versions() {
    for (SavedValue& v : saved_) {
      for (SavedTensor& t : v.tensors) {
        if (t.data) t.version = t.data.version();
      }
    }
  }

  void save_results(std::span<const Value> results) {
    const auto& parts = derivative_.parsed.parts;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!(parts_ >> i & 1) || parts[i].of != SavedPart::Of::Result) continue;
      if (parts[i].index < results.size()) {
        keep(saved_[i], parts[i].what, results[parts[i].index], static_cast<int16_t>(parts[i].index), false);
      }
    }
  }

  void apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) override {
    if (freed_) {
      fail_argument(
          "Trying to backward through the graph a second time: what {} saved was freed by the first; ask the first to "
          "retain the graph",
          node_name());
    }
    if (derivative_.verdict == GradientVerdict::Missing) {
      Error e(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
              fmt::format("{}: {} has no derivative here, and a gradient through it is asked for",
                          derivative_.op->base(), derivative_.op->name));
      e.op = derivative_.op->base();
      e.source = source;
      throw e;
    }
    InlineVec<Value, 4> saved;
    for (size_t i = 0; i < saved_.size(); ++i) saved.push_back(unpack(saved_[i]));
    if (!keep) {
      for (SavedValue& v : saved_) {
        freed_ |= !v.tensors.empty();
        v.tensors.clear();
      }
    }
    InlineVec<Value, 2> results;
    bool any = false;
    for (const Tensor& t : gradients) {
      results.push_back(Value(t));
      any |= static_cast<bool>(t);
    }
    outputs.resize(next.size());
    if (!any) return;
    FormulaValues values{saved, results};
    uint32_t bit = 0, edge = 0;
    size_t count = 0;
    for (const GradientStatement& s : derivative_.parsed.statements) {
      const auto n = static_cast<uint32_t>(s.arguments.size());
      values.needed = needed_ >> bit & ((uint64_t(1) << n) - 1);
      uint32_t edges = 0;
      for (uint32_t k = 0; k < n; ++k) edges += counts_[count + k];
      if (values.needed) {
        const Value v = s.expression->evaluate(values);
        for (uint32_t k = 0, at = edge; k < n; ++k) {
          const uint16_t c = counts_[count + k];
          const Value one = n == 1 ? v.borrowed() : v.is_none() ? Value() : v.as_list()[k].borrowed();
          hand_out(one, c, derivative_.op->schema.arguments[s.arguments[k]].type.is_list(), at, outputs);
          at += c;
        }
      }
      bit += n, edge += edges, count += n;
    }
  }

 private:
  static void hand_out(const Value& v, uint16_t count, bool list, uint32_t at, Gradients& outputs) {
    if (v.is_none()) return;
    if (!list) {
      outputs[at] = v.tensor();
      return;
    }
    const auto items = v.as_list();
    ERSATZ_ASSERT(items.size() == count, "a derivative gives {} gradients for {} tensors", items.size(), count);
    for (uint16_t i = 0; i < count; ++i) {
      if (items[i].is_tensor()) outputs[at + i] = items[i].tensor();
    }
  }

  static Value fact(SavedPart::What what, const Value& v) {
    if (v.kind() == Value::Kind::List) {
      return Value::list(map_leaves(v.as_list(), [&](const Value& item) { return fact(what, item); }));
    }
    if (!v.is_tensor()) return what == SavedPart::What::Dim ? Value(0) : Value();
    const TensorMeta& m = v.tensor_impl()->meta;
    switch (what) {
      case SavedPart::What::Sizes:
        return m.sizes;
      case SavedPart::What::Strides:
        return m.strides;
      case SavedPart::What::Offset:
        return m.offset;
      case SavedPart::What::Dim:
        return m.dim();
      case SavedPart::What::Numel:
        return m.numel();
      case SavedPart::What::DType:
        return m.dtype;
      case SavedPart::What::Device:
        return m.device;
      case SavedPart::What::Itself:
        break;
    }
    return {};
  }

  void keep(SavedValue& to, SavedPart::What what, const Value& v, int16_t result, bool is_written) {
    if (what != SavedPart::What::Itself) {
      to.plain = fact(what, v);
      return;
    }
    const auto tensor = [&](const Value& item) {
      if (!item.is_tensor()) return SavedTensor();
      if (!is_written) return save(item.tensor(), result);
      SavedTensor s = save(gradient_ops().clone(without_history(item.tensor()), MemoryFormat::Preserve), result);
      s.edge = gradient_edge(item.tensor());
      return s;
    };
    if (v.is_tensor()) {
      to.tensors.push_back(tensor(v));
      return;
    }
    bool any = false;
    if (v.kind() == Value::Kind::List) for_each_tensor(v.as_list(), [&](const TensorImpl*) { any = true; });
    if (!any) {
      to.plain = v;
      return;
    }
    to.is_list = true;
    for (const Value& item : v.as_list()) to.tensors.push_back(tensor(item));
  }

  Value unpack(const SavedTensor& s) {
    if (!s.data) return {};
    if (s.data.version() != s.version) raise_changed(s, node_name());
    if (!rule_context().grad_mode) return Value(s.data);
    if (s.result >= 0) return with_edge(s.data, Edge(Ref<GradNode>(this), static_cast<uint32_t>(s.result)));
    if (!s.edge || s.edge.node()->accumulates()) return Value(s.data);
    return with_edge(s.data, s.edge);
  }
  static Value with_edge(const Tensor& data, Edge edge) {
    Tensor t = without_history(data);
    if (is_differentiable(t.dtype())) {
      t.impl()->meta.requires_grad = true;
      need_autograd_meta(t.impl()).edge = std::move(edge);
    }
    return Value(std::move(t));
  }
  Value unpack(const SavedValue& v) {
    if (v.is_list) {
      Values items;
      for (const SavedTensor& t : v.tensors) items.push_back(unpack(t));
      return Value::list(items);
    }
    return v.tensors.empty() ? v.plain : unpack(v.tensors[0]);
  }

  const Derivative& derivative_;
  std::string_view name_;
  InlineVec<SavedValue, 2> saved_;
  InlineVec<uint16_t, 3> counts_;  // edges of each argument
  uint64_t parts_ = 0;
  uint32_t needed_ = 0;  // bit per argument
  bool freed_ = false;
};

// ---- Writes through views ------------------------------------------------------------------------------------------

/// The node that a base gets when a view of it is written: the gradient of what the view showed goes through the call
/// that wrote it, the rest passes.
class CopySlices final : public GradNode {
 public:
  CopySlices(const Tensor& base, const Tensor& view, Ref<GradNode> writer, size_t written_edge)
      : base_(base.meta()), view_(view.meta()), writer_(std::move(writer)), written_edge_(written_edge) {
    inputs.push_back({base_.sizes, base_.dtype, base_.device});
  }
  std::string_view node_name() const override { return "torch::autograd::CopySlices"; }

  void apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) override {
    outputs.resize(next.size());
    const Tensor& gradient = gradients[0];
    if (!gradient) return;
    const GradientOps& ops = gradient_ops();
    const Tensor whole = ops.empty_strided(gradient, base_.sizes, base_.strides);
    ops.copy_into(whole, gradient);
    TensorMeta geometry = view_;
    const bool parts = is_complex(base_.dtype) && !is_complex(view_.dtype);  // the view shows parts of numbers
    geometry.offset = view_.offset - (parts ? base_.offset * 2 : base_.offset);
    const Tensor slice = ops.as_strided(whole, geometry);
    const Tensor through[] = {ops.clone(slice, MemoryFormat::Preserve)};
    Gradients of_writer;
    writer_->apply(through, keep, of_writer);
    size_t to = 1;
    for (size_t i = 0; i < of_writer.size(); ++i) {
      if (i != written_edge_) {
        outputs[to++] = std::move(of_writer[i]);
      } else if (of_writer[i]) {
        ops.copy_into(slice, of_writer[i]);
      } else {
        ops.zero(slice);
      }
    }
    if (written_edge_ >= of_writer.size()) ops.zero(slice);
    outputs[0] = whole;
  }

 private:
  TensorMeta base_, view_;
  Ref<GradNode> writer_;
  size_t written_edge_;
};

void set_history(const Tensor& t, Edge edge) {
  AutogradMeta& a = need_autograd_meta(t.impl());
  if (a.retains_grad) {  // the gradient of the tensor as it is now
    if (a.edge)
      std::erase_if(a.edge.node()->retained, [&](const auto& r) { return r.second.lock().get() == t.impl(); });
    edge.node()->retained.emplace_back(edge.input(), WeakRef<TensorImpl>(t.ref()));
  }
  a.edge = std::move(edge);
  a.version = t.version();
  t.impl()->meta.requires_grad = true;
}

/// The history of a tensor that the call of `edge` wrote. `of_edges`: whose gradients the node gives; `of_view`: the
/// call changed its metadata alone (`t_`).
void set_written_history(const Tensor& t, const Edge& edge, std::span<const TensorImpl* const> of_edges, bool of_view) {
  AutogradMeta* a = autograd_meta(t.impl());
  if (!a || !a->base || of_view) return set_history(t, edge);
  const Ref<GradNode> node(edge.node());
  const Tensor base = a->base;
  size_t written = of_edges.size();
  for (size_t i = 0; i < of_edges.size(); ++i) {
    if (of_edges[i] == t.impl()) written = i;
  }
  Ref<GradNode> slices(new CopySlices(base, t, node, written));
  slices->next.push_back(gradient_edge(base));
  for (size_t i = 0; i < node->next.size(); ++i) {
    if (i != written) slices->next.push_back(node->next[i]);
  }
  set_history(base, Edge(slices, 0));
  a->edge = view_edge(t, base);
  a->version = t.version();
  t.impl()->meta.requires_grad = true;
}

// ---- One call ------------------------------------------------------------------------------------------------------

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
        if (requires_grad(a->base) && is_leaf(a->base)) {
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

/// `detach_`: what was written is a leaf again.
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

/// Gives the views among the results their base.
void follow_views(const OpEntry& op, std::span<const Value> args, const Values& results) {
  if (op.derivative.kind == DerivativeRow::Kind::NoGradient) return;  // `detach`
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

/// The node of a call on lists that returns new ones: the nodes of its items side by side.
class ItemsNode final : public GradNode {
 public:
  explicit ItemsNode(std::string_view name) : name_(name) {}
  std::string_view node_name() const override { return name_; }
  void visit_saved(const std::function<void(const Tensor&)>& f) const override {
    for (const Ref<OperatorNode>& item : items_) {
      if (item) item->visit_saved(f);
    }
  }

  /// Null: no gradient of the item is wanted.
  void add(const Ref<OperatorNode>& item, const Tensor& result) {
    inputs.push_back({result.meta().sizes, result.dtype(), result.device()});
    if (item) next.append(item->next.begin(), item->next.end());
    items_.push_back(item);
  }

  void apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) override {
    for (size_t i = 0; i < items_.size(); ++i) {
      if (!items_[i]) continue;
      Gradients of_item;
      items_[i]->apply(gradients.subspan(i, 1), keep, of_item);
      for (Tensor& t : of_item) outputs.push_back(std::move(t));
    }
  }

 private:
  std::string_view name_;
  std::vector<Ref<OperatorNode>> items_;
};

/// One node while it is made: before its call and after it.
class Recording {
 public:
  Recording(const Derivative& derivative, std::string_view name, std::span<const Value> args,
            std::span<const uint16_t> written)
      : derivative_(derivative), node_(new OperatorNode(derivative, name)) {
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
  /// Does any gradient lead somewhere?
  explicit operator bool() const { return static_cast<bool>(node_); }

  /// Gives the results the node. `own`: what the call returned, `flat`: the same without lists; `written`: the tensors
  /// that it wrote.
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
      const Edge edge(Ref<GradNode>(node_), static_cast<uint32_t>(i));
      if (std::find(written.begin(), written.end(), t.impl()) != written.end()) {
        set_written_history(t, edge, of_edges_, derivative_.op->tags.has(Tag::InplaceView));
      } else {
        set_history(t, edge);
      }
    }
    if (written.empty()) node_->note_versions();
    if (derivative_.verdict == GradientVerdict::Row) node_->save_results(own);
  }

 private:
  const Derivative& derivative_;
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

/// Raises where an argument requires a gradient that must not, or a complex result has none.
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

void record_row(const OpEntry& op, const Derivative& derivative, std::span<const Value> args, Values& results,
                RunCall below) {
  require_followable_writes(op, args);
  require_differentiable(op, derivative, args);
  Recording recording(derivative, {}, args, op.written);
  if (!recording) return run_below(op, args, results, below);
  const size_t first = results.size();
  run_below(op, args, results, below);
  Values own;
  for (size_t i = first; i < results.size(); ++i) own.push_back(results[i].borrowed());
  InlineVec<Value, 3> flat;
  if (own.empty()) {
    for (const uint16_t i : op.written) flatten(args.subspan(i, 1), flat);
  } else {
    flatten(std::span<const Value>(own.data(), own.size()), flat);
  }
  require_real_results(op, derivative, flat);
  recording.finish(own, flat, written_tensors(op, args));
}

/// The arguments of the call for item `i` of a call on lists: by name where both operators have one, else by place.
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

/// A call on lists: each item gets a node of its own. In place these are the nodes of the operator of one item.
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
  for (size_t i = 0; whole && i < count; ++i) {  // one node for all: each result requires a gradient
    const Tensor t = items.as_list()[i].tensor();
    if (is_differentiable(t.dtype())) set_history(t, Edge(Ref<GradNode>(whole), static_cast<uint32_t>(i)));
  }
}

/// Does autograd refuse the `out=` form? It passes what ATen generates (tag `generated` of the schema), and the forms
/// of operators that have no gradient.
bool refuses_out(const OpEntry& op) {
  if (op.functional && derivative_of(*op.functional).verdict == GradientVerdict::Missing) return false;
  const WrittenForm& f = op.form;
  return !(f.row_major && f.cast == WrittenCast::Own && !f.apart && !f.may_overlap && !f.own_elements &&
           !f.of_complex && f.dtype_argument == WrittenForm::kNone && f.anew_of_rank == WrittenForm::kNone);
}

}  // namespace

void record_call(const OpEntry& op, std::span<const Value> args, Values& results, RunCall below) {
  const RuleContext& context = rule_context();
  if (!context.inference_mode) refuse_writes_of_inference(op, args);
  if (op.tags.has(Tag::InplaceView) && derivative_of(op).verdict == GradientVerdict::NoGradient) {
    if (!context.inference_mode) forget_history(op, args);
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
    case GradientVerdict::NoGradient:
      return run_below(op, args, results, below);
    case GradientVerdict::Refused:
      fail(ErrorKind::InvalidArgument, ErrorFamily::NotImplemented,
           "{}: the operator is not differentiable, and one of its arguments requires a gradient", op.base());
    case GradientVerdict::Items:
      return record_items(op, derivative, args, results, below);
    case GradientVerdict::Row:
    case GradientVerdict::Missing:
      if (op.out_arguments > 0 && refuses_out(op)) refuse_out(op);
      return record_row(op, derivative, args, results, below);
  }
}

namespace {
/// The node of a view whose memory was written through another tensor.
class ViewNode final : public GradNode {
 public:
  ViewNode(const Tensor& view, const Tensor& base, Edge to) : base_(base.meta()), view_(view.meta()) {
    next.push_back(std::move(to));
    inputs.push_back({view_.sizes, view_.dtype, view_.device});
  }
  std::string_view node_name() const override { return "AsStridedBackward0"; }
  void apply(std::span<const Tensor> gradients, bool, Gradients& outputs) override {
    outputs.push_back(gradients[0] ? gradient_ops().as_strided_backward(gradients[0], base_, view_) : Tensor());
  }

 private:
  TensorMeta base_, view_;
};
}  // namespace

Edge view_edge(const Tensor& view, const Tensor& base) {
  Edge to = gradient_edge(base);
  if (!to) return {};
  return Edge(Ref<GradNode>(new ViewNode(view, base, std::move(to))), 0);
}

}  // namespace ersatz

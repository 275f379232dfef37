#include "runtime/autograd/saved_value.h"

#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {

SavedTensor save(const Tensor& t, int16_t result) {
  if (t.meta().inference) {
    fail_argument("inference tensors cannot be saved for backward: {} was made in inference mode; clone it outside",
                  t.meta());
  }
  SavedTensor s;
  s.version = t.version();
  s.result = result;
  if (result < 0) s.edge = gradient_edge(t);
  if (const SavedTensorHooks* hooks = detail::t_saved_tensor_hooks) [[unlikely]] {
    s.packed = hooks->pack(t);
    return s;
  }
  const bool leaf = result < 0 && t.meta().requires_grad && !grad_fn(t);
  s.data = leaf ? t : without_history(t);
  return s;
}

[[noreturn]] void raise_changed(const SavedTensor& s, std::string_view node) {
  fail_argument(
      "one of the variables needed for gradient computation has been modified by an inplace operation: {}, which {} "
      "saved, is at version {}; expected version {} instead",
      s.data.meta(), node, s.data.version(), s.version);
}

Value fact(SavedPart::What what, const Value& v) {
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

Value with_edge(const Tensor& data, Edge edge) {
  Tensor t = without_history(data);
  if (is_differentiable(t.dtype())) {
    t.impl()->meta.requires_grad = true;
    need_autograd_meta(t.impl()).edge = std::move(edge);
  }
  return Value(std::move(t));
}

/// Returns a leaf with the data of `data`. It shares the accumulator of the tensor that was saved.
Value as_leaf(const Tensor& data, const Edge& accumulator) {
  const Tensor t = without_history(data);
  t.impl()->meta.requires_grad = true;
  need_autograd_meta(t.impl()).accumulator = WeakRef<GradNode>(Ref<GradNode>(accumulator.node()));
  return Value(t);
}

Value unpack_tensor(const SavedTensor& s, GradNode& node) {
  if (!s.data && !s.packed) return {};
  const Tensor data = s.packed ? s.packed->unpacked() : s.data;
  if (!s.packed && data.version() != s.version) raise_changed(s, node.node_name());
  if (!rule_context().grad_mode) return Value(data);
  if (s.result >= 0) return with_edge(data, Edge(Ref<GradNode>(&node), static_cast<uint32_t>(s.result)));
  if (!s.edge) return Value(data);
  if (!s.edge.node()->accumulates()) return with_edge(data, s.edge);
  return s.packed ? as_leaf(data, s.edge) : Value(data);
}

SavedTensor& named(GradNode& node, std::string_view name, size_t item) {
  auto* saving = dynamic_cast<SavingNode*>(&node);
  SavedTensor* found = nullptr;
  if (!saving || !saving->find_saved(name, item, found))
    fail_argument("{} saves no tensor named '{}'", node.node_name(), name);
  if (saving->is_freed()) {
    fail_argument(
        "'{}', which {} saved, was freed by a backward run; ask that run to retain the graph, or ask for the tensor "
        "before",
        name, node.node_name());
  }
  if (!found || (!found->data && !found->packed)) {
    fail_argument("{} saved None for '{}', item {}: no gradient needs it", node.node_name(), name, item);
  }
  return *found;
}

}  // namespace

Tensor saved_tensor(GradNode& node, std::string_view name, size_t item) {
  return unpack_tensor(named(node, name, item), node).tensor();
}

void register_saved_hooks(GradNode& node, std::string_view name, PackHook pack, UnpackHook unpack, size_t item) {
  SavedTensor& saved = named(node, name, item);
  if (saved.packed) {
    fail_argument("'{}', which {} saved, has a pair of hooks already; only one pair is allowed", name,
                  node.node_name());
  }
  saved.packed = detail::pack_tensor(pack, unpack, without_history(saved.data));
  saved.data = {};
}

void SavedValue::keep(SavedPart::What what, const Value& v, int16_t result, bool is_written) {
  if (what != SavedPart::What::Itself) {
    plain = fact(what, v);
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
    tensors.push_back(tensor(v));
    return;
  }
  bool any = false;
  if (v.kind() == Value::Kind::List) for_each_tensor(v.as_list(), [&](const TensorImpl*) { any = true; });
  if (!any) {
    plain = v;
    return;
  }
  is_list = true;
  for (const Value& item : v.as_list()) tensors.push_back(tensor(item));
}

Value SavedValue::unpack(GradNode& node) const {
  if (is_list) {
    Values items;
    for (const SavedTensor& t : tensors) items.push_back(unpack_tensor(t, node));
    return Value::list(items);
  }
  return tensors.empty() ? plain : unpack_tensor(tensors[0], node);
}

}  // namespace ersatz

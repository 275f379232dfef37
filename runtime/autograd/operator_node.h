// The node of an operator's call. It saves values of the call for backward and evaluates the operator's derivative.
#pragma once

#include "runtime/autograd/derivative.h"
#include "runtime/autograd/saved_value.h"

namespace ersatz {

class OperatorNode final : public SavingNode, public Pooled<OperatorNode> {
 public:
  /// `name` is the node's name; if it is empty, the derivative's name is used.
  explicit OperatorNode(const Derivative& derivative, std::string_view name = {})
      : derivative_(derivative), name_(name.empty() ? std::string_view(derivative.node) : name) {}

  /// Appends the gradient edges of the arguments to `next`. Returns whether one of these edges is not empty.
  bool connect(std::span<const Value> args);
  /// Saves the parts of the arguments that the needed formulas read. Arguments in `written`, which the operator will
  /// write, are cloned first. REQUIRES: the operator has not run yet.
  void save_arguments(std::span<const Value> args, std::span<const uint16_t> written);
  /// Stores the versions that the saved tensors have after the call. If the operator itself bumps the version of an
  /// argument (running statistics of batch norm), backward then accepts that version.
  void note_versions();
  /// Like note_versions(), but only for the argument at this schema position.
  void note_versions(uint16_t argument);
  void save_results(std::span<const Value> results);

  std::string_view node_name() const override { return name_; }
  std::string_view op_name() const override { return derivative_.op->name; }
  void apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) override;
  void visit_saved(const std::function<void(const Tensor&)>& f) const override;
  bool find_saved(std::string_view name, size_t item, SavedTensor*& found) override;
  bool is_freed() const override { return freed_; }

 private:
  const Derivative& derivative_;
  std::string_view name_;
  InlineVec<SavedValue, 2> saved_;  // one per part of the derivative
  InlineVec<uint16_t, 3> counts_;   // number of edges of each argument
  uint64_t parts_ = 0;              // bit i is set if part i of the derivative is needed
  uint32_t needed_ = 0;             // bit i is set if the gradient of argument i is needed
  bool freed_ = false;
};

/// The node of a call on lists that returns new lists (`_foreach_mul`). It applies the OperatorNodes of the items one
/// after another.
class ItemsNode final : public GradNode {
 public:
  explicit ItemsNode(std::string_view name) : name_(name) {}
  std::string_view node_name() const override { return name_; }
  void visit_saved(const std::function<void(const Tensor&)>& f) const override {
    for (const Ref<OperatorNode>& item : items_) {
      if (item) item->visit_saved(f);
    }
  }

  /// `item` is null if no gradient of the item is needed.
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

}  // namespace ersatz

#include "runtime/autograd/function.h"

#include <algorithm>

#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/autograd/saved_value.h"
#include "runtime/autograd/view_nodes.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {
constexpr size_t kNowhere = static_cast<size_t>(-1);

size_t place_in(std::span<const Tensor> tensors, const Tensor& t) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] && tensors[i].is(t)) return i;
  }
  return kNowhere;
}
}  // namespace

class FunctionNode;

struct FunctionContext::Impl {
  std::vector<Tensor> to_save, dirty, non_differentiable;
  std::vector<bool> needed;
  bool materialize = true;
  FunctionNode* node = nullptr;
};

FunctionContext::FunctionContext() : impl_(std::make_unique<Impl>()) {}
FunctionContext::FunctionContext(FunctionContext&&) noexcept = default;
FunctionContext& FunctionContext::operator=(FunctionContext&&) noexcept = default;
FunctionContext::~FunctionContext() = default;

void FunctionContext::save_for_backward(std::vector<Tensor> tensors) { impl_->to_save = std::move(tensors); }
void FunctionContext::mark_dirty(std::vector<Tensor> tensors) { impl_->dirty = std::move(tensors); }
void FunctionContext::mark_non_differentiable(std::vector<Tensor> tensors) {
  impl_->non_differentiable = std::move(tensors);
}
void FunctionContext::set_materialize_grads(bool materialize) { impl_->materialize = materialize; }
bool FunctionContext::needs_input_grad(size_t argument) const {
  return argument < impl_->needed.size() && impl_->needed[argument];
}

class FunctionNode final : public SavingNode {
 public:
  FunctionNode(const Function& function, std::span<const Value> arguments)
      : name_(function.name + "Backward"), backward_(function.backward) {
    for (const Value& v : arguments) {
      is_tensor_.push_back(v.is_tensor());
      if (v.is_tensor()) next.push_back(gradient_edge(v.tensor()));
    }
  }

  std::string_view node_name() const override { return name_; }

  void visit_saved(const std::function<void(const Tensor&)>& f) const override {
    for (const SavedValue& v : saved_) {
      for (const SavedTensor& t : v.tensors) {
        if (t.data) f(t.data);
      }
    }
  }

  bool find_saved(std::string_view name, size_t item, SavedTensor*& found) override {
    if (item < saved_.size() && !saved_[item].tensors.empty()) found = &saved_[item].tensors[0];
    return name == "tensors";
  }
  bool is_freed() const override { return freed_; }

  /// Stores the context in the node and saves the tensors that forward passed to save_for_backward. REQUIRES: the
  /// results already have this node as their grad_fn.
  void finish(FunctionContext context, std::span<const Tensor> results) {
    context_ = std::move(context);
    FunctionContext::Impl& asked = *context_.impl_;
    asked.node = this;
    for (const Tensor& t : std::exchange(asked.to_save, {})) {
      const size_t result = t ? place_in(results, t) : kNowhere;
      const bool of_results = result != kNowhere && grad_fn(t) == this;
      saved_.emplace_back();
      if (t) saved_.back().keep(SavedPart::What::Itself, t, of_results ? static_cast<int16_t>(result) : -1, false);
    }
    asked.dirty.clear();
    asked.non_differentiable.clear();
  }

  void add_result(const Tensor& t) {
    inputs.push_back(t ? GradientShape{t.meta().sizes, t.dtype(), t.device()} : GradientShape());
    alike_.push_back(t && t.is_fake() ? without_history(t) : Tensor());
  }

  void apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) override {
    std::vector<Tensor> given(gradients.begin(), gradients.end());
    for (size_t i = 0; context_.impl_->materialize && i < given.size(); ++i) {
      if (!given[i]) given[i] = zeros(i);
    }
    std::vector<Tensor> returned;
    {
      const FollowAutograd follow;  // inside the user's backward, EnableGrad switches recording on
      returned = backward_(context_, given);
    }
    hand_out(std::move(returned), outputs);
    if (keep) return;
    freed_ = !saved_.empty();
    saved_.clear();
  }

  std::vector<Tensor> saved_tensors() {
    if (freed_) {
      fail_argument(
          "Trying to backward through the graph a second time: what {} saved was freed by the first; ask the first to "
          "retain the graph",
          name_);
    }
    std::vector<Tensor> tensors;
    for (const SavedValue& v : saved_) {
      const Value t = v.unpack(*this);
      tensors.push_back(t.is_tensor() ? t.tensor() : Tensor());
    }
    return tensors;
  }

 private:
  Tensor zeros(size_t result) const {
    const GradientShape& shape = inputs[result];
    Tensor like = alike_[result];
    if (!like) {
      TensorMeta none(shape.dtype, DimVec{0});
      none.device = shape.device;
      like = make_real_tensor(none);
    }
    return gradient_ops().zeros(like, shape.sizes);
  }

  void hand_out(std::vector<Tensor> returned, Gradients& outputs) const {
    const size_t count = is_tensor_.size();
    const bool rest_undefined = std::all_of(returned.begin() + static_cast<int64_t>(std::min(count, returned.size())),
                                            returned.end(), [](const Tensor& t) { return !t; });
    if (returned.size() < count || !rest_undefined) {
      fail_argument("function {} returned an incorrect number of gradients (expected {}, got {})", name_, count,
                    returned.size());
    }
    for (size_t i = 0; i < count; ++i) {
      if (is_tensor_[i]) {
        outputs.push_back(std::move(returned[i]));
      } else if (returned[i]) {
        fail_argument(
            "function {} returned a gradient different than None at position {}, but the corresponding forward input "
            "was not a Variable",
            name_, i + 1);
      }
    }
  }

  std::string name_;
  std::function<std::vector<Tensor>(FunctionContext&, std::span<const Tensor>)> backward_;
  FunctionContext context_;
  std::vector<bool> is_tensor_;    // per argument
  std::vector<SavedValue> saved_;  // the arguments of save_for_backward, in order
  std::vector<Tensor> alike_;      // per result: for a fake result, a fake without history, from which zeros() makes
                                   // zeros; undefined if real
  bool freed_ = false;
};

std::vector<Tensor> FunctionContext::saved_tensors() const {
  return impl_->node ? impl_->node->saved_tensors() : impl_->to_save;
}

/// One call of apply_function: the constructor runs forward, finish() records the results.
class FunctionApplication {
 public:
  FunctionApplication(const Function& function, std::span<const Value> arguments) : function_(function) {
    for (const Value& v : arguments) {
      tensors_.push_back(v.is_tensor() ? v.tensor() : Tensor());
      context_.impl_->needed.push_back(requires_grad(tensors_.back()));
    }
    const auto& needed = context_.impl_->needed;
    const bool recorded = rule_context().grad_mode && !rule_context().inference_mode;
    if (recorded && std::find(needed.begin(), needed.end(), true) != needed.end()) {
      node_ = make_ref<FunctionNode>(function, arguments);
    }
    const NoGrad off;
    results_ = function.forward(context_, arguments);
  }

  std::vector<Tensor> finish() {
    require_returned();
    size_t differentiable = 0;
    for (Tensor& t : results_) {
      if (t && !is_dirty(t) && place_in(tensors_, t) != kNowhere) t = view_of_itself(t);
      if (is_dirty(t)) t.storage()->bump_version();
      if (node_) node_->add_result(t);
      differentiable += has_gradient(t);
    }
    if (!node_) return std::move(results_);
    for (size_t i = 0; i < results_.size(); ++i) {
      if (has_gradient(results_[i])) connect(results_[i], static_cast<uint32_t>(i), differentiable > 1);
    }
    node_->finish(std::move(context_), results_);
    return std::move(results_);
  }

 private:
  bool is_dirty(const Tensor& t) const { return t && place_in(context_.impl_->dirty, t) != kNowhere; }
  bool has_gradient(const Tensor& t) const {
    return t && is_differentiable(t.dtype()) && place_in(context_.impl_->non_differentiable, t) == kNowhere;
  }

  void require_returned() const {
    for (const Tensor& t : context_.impl_->dirty) {
      if (place_in(results_, t) != kNowhere) continue;
      fail_argument(
          "{}: some elements marked as dirty during the forward method were not returned as output. The inputs that "
          "are modified inplace must all be outputs of the Function: {}",
          function_.name, t.meta());
    }
  }

  static Tensor view_of_itself(const Tensor& t) {
    const NoGrad off;
    return gradient_ops().as_strided(t, t.meta());
  }

  void connect(const Tensor& t, uint32_t number, bool several) {
    const Edge edge{Ref<GradNode>(node_), number};
    if (!is_dirty(t)) {
      set_history(t, edge);
      AutogradMeta& a = need_autograd_meta(t.impl());
      if (a.base) a.creation = ViewCreation::Function;
      return;
    }
    if (requires_grad(t) && is_leaf(t)) {
      fail_argument("a leaf Variable that requires grad has been used in an in-place operation: {} wrote {}",
                    function_.name, t.meta());
    }
    if (is_view(t) && several) {
      fail_argument(
          "{}: if your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
          "return more than one Tensor: {}; clone it before",
          function_.name, t.meta());
    }
    std::vector<const TensorImpl*> of_edges;
    for (const Tensor& argument : tensors_) {
      if (argument) of_edges.push_back(argument.impl());
    }
    set_written_history(t, edge, of_edges, false);
  }

  const Function& function_;
  std::vector<Tensor> tensors_;  // per argument; undefined if the argument is no tensor
  FunctionContext context_;
  Ref<FunctionNode> node_;  // null: nothing is recorded
  std::vector<Tensor> results_;
};

std::vector<Tensor> apply_function(const Function& function, std::span<const Value> arguments) {
  return FunctionApplication(function, arguments).finish();
}

}  // namespace ersatz

#include "runtime/autograd/accumulate.h"

#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {
/// Returns whether the strides `a` and `b` are equal, except for the strides of dims of size 1.
bool same_strides(std::span<const SymInt> sizes, std::span<const SymInt> a, std::span<const SymInt> b) {
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!size_eq(sizes[d], 1) && !size_eq(a[d], b[d])) return false;
  }
  return true;
}
}  // namespace

DimVec first_gradient_strides(const TensorMeta& leaf) {
  const DimVec dense = preserved_strides(leaf.sizes, leaf.strides);
  return same_strides(leaf.sizes, dense, leaf.strides) ? leaf.strides : contiguous_strides(leaf.sizes);
}

Accumulation accumulation(const TensorMeta& leaf, const TensorMeta& arriving, bool has_gradient, bool sole,
                          bool create) {
  if (has_gradient) return create ? Accumulation::AddApart : Accumulation::AddInto;
  const bool fits = same_strides(arriving.sizes, arriving.strides, first_gradient_strides(leaf));
  return sole && !create && fits ? Accumulation::Take : Accumulation::Copy;
}

namespace {

class AccumulateGrad final : public GradNode, public Pooled<AccumulateGrad> {
 public:
  explicit AccumulateGrad(Tensor leaf) : GradNode(Leaf()), leaf_(std::move(leaf)) {
    const TensorMeta& m = leaf_.meta();
    inputs.push_back({m.sizes, m.dtype, m.device});
  }
  std::string_view node_name() const override { return "AccumulateGrad"; }
  bool accumulates() const override { return true; }
  const Tensor& leaf() const { return leaf_; }

  void apply(std::span<const Tensor> gradients, bool, Gradients&) override {
    const Tensor& arriving = gradients[0];
    if (!arriving) return;
    if (grad_fn(leaf_)) {
      fail_argument("leaf variable has been moved into the graph interior: {} was written or passed on since",
                    leaf_.meta());
    }
    if (!leaf_.meta().requires_grad) return;  // requires_grad was cleared after the graph was built
    AutogradMeta& a = need_autograd_meta(leaf_.impl());
    const GradientOps& ops = gradient_ops();
    const bool create = rule_context().grad_mode;
    const bool sole = arriving.impl()->use_count() <= 1;
    switch (accumulation(leaf_.meta(), arriving.meta(), static_cast<bool>(a.grad), sole, create)) {
      case Accumulation::Take:
        a.grad = arriving;
        break;
      case Accumulation::Copy:
        a.grad = copy(arriving);
        break;
      case Accumulation::AddInto:
        if (a.grad.meta().inference && !rule_context().inference_mode) {
          fail_argument(
              "Inplace update to inference tensor outside InferenceMode is not allowed: the gradient of {} was made in "
              "inference mode; take it away with set_grad",
              leaf_.meta());
        }
        ops.add_into(a.grad, arriving);
        break;
      case Accumulation::AddApart:
        a.grad = ops.add(a.grad, arriving);
        break;
    }
  }

 private:
  Tensor copy(const Tensor& arriving) const {
    const GradientOps& ops = gradient_ops();
    const Tensor made = ops.empty_strided(arriving, leaf_.sizes(), first_gradient_strides(leaf_.meta()));
    ops.copy_into(made, arriving);
    return made;
  }
  Tensor leaf_;
};

}  // namespace

ERSATZ_DEFINE_POOL(AccumulateGrad)

Ref<GradNode> make_accumulator(const Tensor& leaf) { return Ref<GradNode>(new AccumulateGrad(leaf)); }
const Tensor& leaf_of(const GradNode& node) { return static_cast<const AccumulateGrad&>(node).leaf(); }

}  // namespace ersatz

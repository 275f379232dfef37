// Losses that are composites of other operators, as in PyTorch: `l1_loss`, `kl_div`, `cosine_similarity` and others.
//
// Constraints, where `op` is the op's name:
//
// [kl_div.C1]  Both operands are floats.
// [cosine_embedding_loss.C1]  target is 0-d if the inputs are 1-d, and 1-d if the inputs are matrices.
// [cosine_similarity.C1]  The dtypes promote to a float.
// [cosine_similarity.C2]  The sizes broadcast.
// [triplet_margin_loss.C1]  The three inputs have one rank.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/loss/named_losses.h"

namespace ersatz::op_named_losses {

inline constexpr TypedSchema kL1{"aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"};
/// The loss is target * (log(target) - self); with log_target, exp(target) * (target - self).
inline constexpr TypedSchema kKlDiv{
    "aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor"};
/// The loss is self for target 1, max(0, margin - self) for target -1, and the sum of the two for any other target.
inline constexpr TypedSchema kHingeEmbedding{
    "aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor"};
inline constexpr TypedSchema kMarginRanking{
    "aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> "
    "Tensor"};
/// The loss is 1 - cos for target 1 and max(0, cos - margin) for target -1, with the cosine of the angle between the
/// inputs.
inline constexpr TypedSchema kCosineEmbedding{
    "aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int reduction=1) -> "
    "Tensor"};
inline constexpr TypedSchema kCosineSimilarity{
    "aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor"};
/// Returns the p-norm of x1 - x2 + eps along the last dim.
inline constexpr TypedSchema kPairwiseDistance{
    "aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, bool keepdim=False) "
    "-> Tensor"};
inline constexpr TypedSchema kTripletMargin{
    "aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., float "
    "eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor"};
/// The loss is exp(input) - target * input; without log_input, input - target * log(input + eps). With `full`,
/// Stirling's approximation of log(target!) is added.
inline constexpr TypedSchema kPoissonNll{
    "aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> "
    "Tensor"};

}  // namespace ersatz::op_named_losses

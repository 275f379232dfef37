#include "tests/op_sequence_fuzz/call_pool.h"

#include <algorithm>

#include "runtime/op/may_view_tag.h"

namespace ersatz {
namespace {

constexpr size_t kMostLiving = 48;
constexpr int64_t kMostElements = 512;       // of a tensor that later calls may use
constexpr int64_t kMostStorage = 64 * 1024;  // bytes

}  // namespace

std::vector<const OpEntry*> sequence_ops() {
  std::vector<const OpEntry*> ops;
  for (const OpEntry* op : registry().all()) {
    if (op->tags.has(Tag::Foreign) || op->tags.has(Tag::Collective))
      continue;                                                // a collective needs values of other processes
    if (op->schema.base == "resize_storage_bytes_") continue;  // a later call would read freed bytes
    if (op->schema.base.find("_polynomial_") != std::string::npos)
      continue;  // they take as many steps as their degree, up to 2^64
    if (!sequence_samples(*op).empty()) ops.push_back(op);
  }
  return ops;
}

CallPool::CallPool(FakeOptions options, uint64_t seed, std::vector<const OpEntry*> ops, bool gradients)
    : pairs_(std::move(options)), generator_(seed), ops_(std::move(ops)), gradients_(gradients) {
  if (!gradients) return;
  // `lift` of a leaf, and `native_dropout` of a leaf without elements, return the leaf with a node that refers to the
  // leaf, as in PyTorch. This cycle is never freed.
  std::erase_if(ops_, [](const OpEntry* op) {
    const std::string_view base = op->schema.base;
    return base == "lift" || base == "lift_fresh" || base == "native_dropout";
  });
  std::copy_if(ops_.begin(), ops_.end(), std::back_inserter(moving_), [](const OpEntry* op) {
    return op->tags.has(kMayViewTag) || (!op->written.empty() && op->out_arguments == 0);
  });
}

const OpEntry& CallPool::draw_op() {
  const std::vector<const OpEntry*>& from = !moving_.empty() && chance(0.35) ? moving_ : ops_;
  return *from[static_cast<size_t>(random(static_cast<int64_t>(from.size())))];
}

/// Chooses a request to autograd about living tensors, for example a backward run.
void CallPool::choose_action() {
  constexpr SequenceAction kActions[] = {SequenceAction::Backward, SequenceAction::Backward, SequenceAction::Grad,
                                         SequenceAction::Require,  SequenceAction::Retain,   SequenceAction::Clear};
  SequenceCall& call = calls_.back();
  call.action = kActions[random(std::size(kActions))];
  call.options.seed = static_cast<uint64_t>(random(16));
  const int64_t tensors = call.action == SequenceAction::Grad ? 1 + random(3) : 1;
  const auto count = static_cast<int64_t>(pairs_.living.size());
  for (int64_t i = 0; i < tensors && count > 0; ++i) {
    const CallPairs::Pair* chosen = nullptr;
    for (int attempt = 0; attempt < 8; ++attempt) {  // preferably tensors that require gradients
      chosen = &pairs_.living[static_cast<size_t>(random(count))];
      if (chosen->real.meta().requires_grad) break;
    }
    call.swaps.push_back({static_cast<size_t>(i), chosen->origin, 0});
  }
}

void CallPool::choose_region() {
  SequenceCall& call = calls_.back();
  const int64_t draw = random(20);
  call.region = draw < 3 ? GradRegion::NoGrad : draw == 3 ? GradRegion::Inference : GradRegion::Follow;
  call.wanted = generator_();
}

/// Chooses a living tensor with the same rank and dtype if one of a few tries has them; sometimes any living tensor.
void CallPool::choose_swap(const Value& leaf, size_t number, bool written) {
  std::vector<SequenceCall::Swap>& swaps = calls_.back().swaps;
  if (leaf.kind() == Value::Kind::Int && leaf.as_int().is_int() && chance(0.15))
    swaps.push_back({number, {}, random(7) - 3});
  if (!leaf.is_tensor() || pairs_.living.empty() || !chance(written ? 0.5 : 0.6)) return;
  for (int attempt = 0; attempt < 6; ++attempt) {
    const CallPairs::Pair& p = pairs_.living[static_cast<size_t>(random(static_cast<int64_t>(pairs_.living.size())))];
    const Tensor& sample = leaf.tensor();
    if (!chance(0.1) && (p.real.dim() != sample.dim() || p.real.dtype() != sample.dtype())) continue;
    if (gradients_ && attempt < 4 && !p.real.meta().requires_grad) continue;
    return swaps.push_back({number, p.origin, 0});
  }
}

std::string CallPool::step() {
  SequenceCall& call = calls_.emplace_back(SequenceCall{static_cast<int64_t>(calls_.size()), nullptr, 0, {}, {}});
  if (gradients_ && chance(0.1)) {
    choose_action();
    std::string wrong = pairs_.make(call, {});
    for (const CallPairs::Pair& p : pairs_.of_call()) keep(p);
    return wrong;
  }
  const OpEntry& op = draw_op();
  call.op = &op;
  if (gradients_) choose_region();
  call.sample = static_cast<size_t>(random(static_cast<int64_t>(sequence_samples(op).size())));
  call.options.layout = kSampleLayouts[random(std::size(kSampleLayouts))];
  if (!layout_applies(op, call.options.layout)) call.options.layout = SampleLayout::AsWritten;
  call.options.seed = generator_();

  std::vector<Value> arguments = call.sample_arguments();
  size_t leaf = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    map_leaves(arguments[i], leaf, [&](const Value& v, size_t number) {
      const bool differentiable = v.is_tensor() && (is_float(v.tensor().dtype()) || is_complex(v.tensor().dtype()));
      if (number < 64 && (!differentiable || (op.schema.arguments[i].is_write() && !chance(0.1))))
        call.wanted &= ~(uint64_t{1} << number);
      choose_swap(v, number, op.schema.arguments[i].is_write());
      return v;
    });
  }
  std::string wrong = pairs_.make(call, std::move(arguments));
  for (const CallPairs::Pair& p : pairs_.of_call()) keep(p);
  return wrong;
}

void CallPool::keep(const CallPairs::Pair& pair) {
  std::vector<CallPairs::Pair>& living = pairs_.living;
  if (std::any_of(living.begin(), living.end(), [&](const CallPairs::Pair& p) { return p.real.is(pair.real); })) return;
  if (pair.real.numel().as_int() > kMostElements || pair.real.storage()->nbytes().as_int() > kMostStorage) return;
  if (living.size() < kMostLiving) {
    living.push_back(pair);
  } else {
    living[static_cast<size_t>(random(kMostLiving))] = pair;
  }
}

}  // namespace ersatz

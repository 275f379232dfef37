#include "tracer/run/loss.h"

#include <algorithm>

#include "runtime/autograd/autograd_meta.h"
#include "runtime/op/map_tensors.h"

namespace ersatz {

namespace {

std::vector<GradientLeaf> leaves_among(const Program& program, std::span<const Value> inputs) {
  std::vector<GradientLeaf> leaves;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const GraphInput& in = program.main().inputs[i];
    const bool parameter = in.kind == InputKind::Parameter;
    if (!inputs[i].is_tensor() || (!parameter && in.kind != InputKind::UserInput)) continue;
    const Tensor t = inputs[i].tensor();
    if (!is_float(t.dtype()) && !is_complex(t.dtype())) continue;
    leaves.push_back(
        {i, std::string(program.name(parameter ? in.target : program.main().values[in.value].name)), parameter, t});
  }
  return leaves;
}

void require_gradients(std::span<const GradientLeaf> leaves) {
  for (const GradientLeaf& leaf : leaves) set_requires_grad(leaf.tensor);
}

}  // namespace

std::vector<GradientLeaf> make_leaves(const Program& program, std::span<const Value> inputs) {
  std::vector<GradientLeaf> leaves = leaves_among(program, inputs);
  require_gradients(leaves);
  return leaves;
}

std::vector<GradientLeaf> make_recorded_leaves(const Program& program, std::span<const Value> inputs) {
  std::vector<GradientLeaf> leaves = leaves_among(program, inputs);
  const auto recorded = [&](const GradientLeaf& leaf) {
    const TensorMeta* meta = program.meta(program.main().values[program.main().inputs[leaf.input].value]);
    return meta && meta->requires_grad;
  };
  const bool any = std::any_of(leaves.begin(), leaves.end(), recorded);
  std::erase_if(leaves, [&](const GradientLeaf& leaf) { return any ? !recorded(leaf) : !leaf.is_parameter; });
  require_gradients(leaves);
  return leaves;
}

Loss loss_of(const Program& program, std::span<const Value> results, const std::string& wanted) {
  Loss loss;
  const std::vector<GraphOutput>& outputs = program.main().outputs;
  const bool has_loss = wanted.empty() && std::any_of(outputs.begin(), outputs.end(),
                                                      [](const GraphOutput& o) { return o.kind == OutputKind::Loss; });
  std::string names, name_of_last;
  size_t last = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    const GraphOutput& out = outputs[i];
    if (out.kind != OutputKind::Loss && (has_loss || out.kind != OutputKind::UserOutput)) continue;
    const bool is_value = out.value.kind == Arg::Kind::Value;
    const std::string name(is_value ? program.name(program.main().values[out.value.index].name) : std::string_view());
    names += (names.empty() ? "" : ", ") + name;
    if (!wanted.empty() && name != wanted) continue;
    for_each_tensor(results.subspan(i, 1), [&](TensorImpl* t) {
      if (!is_float(t->meta.dtype) || !requires_grad(Tensor(Ref<TensorImpl>(t)))) return;
      loss.tensors.emplace_back(Ref<TensorImpl>(t));
      last = i;
      name_of_last = name;
    });
    if (wanted.empty()) continue;
    if (loss.tensors.empty())
      fail_argument("loss {}: the output is no tensor of floating point dtype that requires a gradient", wanted);
    break;  // only the first output with this name counts
  }
  if (!wanted.empty() && loss.tensors.empty())
    fail_argument("loss {}: the program has no output of that name; it has {}", wanted, names);
  if (loss.tensors.empty())
    fail_argument("no output of the program requires a gradient; its outputs are {}", names.empty() ? "none" : names);
  const bool one = loss.tensors.size() == 1;
  if (one && loss.tensors[0].dim() == 0) loss.output = last;
  loss.words = !wanted.empty() || loss.output != kNone ? name_of_last
               : one                                   ? "the sum of the output"
                                                       : fmt::format("the sum of {} outputs", loss.tensors.size());
  return loss;
}

}  // namespace ersatz

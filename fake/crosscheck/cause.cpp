#include "fake/crosscheck/cause.h"

#include <algorithm>
#include <numeric>

#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

std::string who_predicted(const CallCase& c) {
  if (c.predicted.error) return "the fake side refuses the call";
  if (c.answer.fell_back) return "predicted by a run of the kernel on made-up inputs, since the operator has no rule";
  switch (c.answer.source) {
    case Source::Rule:
      return "predicted by the operator's rule";
    case Source::Composite:
      return "predicted from the operators that it calls";
    case Source::Constant:
      return "computed from values that the fake tensors know";
    default:
      return fmt::format("predicted by {}", name(c.answer.source));
  }
}

/// Returns the operand's metadata with other strides for the same sizes, or nullopt if no other strides are possible.
std::optional<TensorMeta> laid_out_otherwise(TensorMeta m) {
  if (m.sizes.size() < 2) return std::nullopt;
  const DimVec before = m.strides;
  m.offset = 0;
  if (!is_contiguous(m)) {
    m.strides = contiguous_strides(m.sizes);
  } else {
    SymInt next = 1;
    for (size_t d = 0; d < m.sizes.size(); ++d) {
      m.strides[d] = next;
      next = next * m.sizes[d];
    }
  }
  if (sym_eq(m.strides, before)) return std::nullopt;
  return m;
}

std::optional<TensorMeta> of_another_dtype(TensorMeta m) {
  m.dtype = m.dtype == DType::F32   ? DType::F64
            : !is_integral(m.dtype) ? DType::F32
            : m.dtype == DType::I64 ? DType::I32
                                    : DType::I64;
  return m;
}

/// Returns the metadata that the rule predicts for result k after `change` is applied to tensor argument number
/// `changed` (-1: to none), counting elements of lists. Returns nullopt if `change` returns no other metadata, or if
/// the rule raises an error.
template <class F>
std::optional<TensorMeta> ask(const CallCase& c, size_t k, int changed, F&& change) {
  int number = 0;
  bool possible = true;
  const std::vector<Value> args = map_tensors(c.fake_args, [&](const Tensor& t) -> Tensor {
    if (number++ != changed) return t;
    const std::optional<TensorMeta> other = change(t.meta());
    possible = other.has_value();
    return other ? c.mode.make(*other) : t;
  });
  if (!possible) return std::nullopt;
  try {
    SuspendModes alone;
    RuleResult answer;
    run_rule(c.op, args, answer);
    if (k >= answer.outputs.size() || answer.outputs[k].kind == OutputSpec::Kind::Number) return std::nullopt;
    return answer.outputs[k].meta;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Returns `the predicted strides follow the layout of tensor operand 0, f32[2,3]{1,2}+0@cpu`; empty if unknown.
std::string deciding_operands(const CallCase& c, const Finding& f) {
  if (!c.op.rule || !c.answer.ruled || f.result < 0 || c.predicted.error) return "";
  const bool strides = f.field == FindingField::Stride;
  if (!strides && f.field != FindingField::DType) return "";
  for (const CallCase::Argument& a : c.arguments) {
    if (a.fake->meta.is_symbolic()) return "";
  }
  const auto k = static_cast<size_t>(f.result);
  const std::optional<TensorMeta> now = ask(c, k, -1, of_another_dtype);
  if (!now) return "";
  std::string deciding;
  int tried = 0;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) {
    const auto other = strides ? ask(c, k, i, laid_out_otherwise) : ask(c, k, i, of_another_dtype);
    if (!other) continue;
    ++tried;
    const bool follows = strides ? !sym_eq(other->strides, now->strides) : other->dtype != now->dtype;
    if (!follows) continue;
    deciding += fmt::format("{}tensor operand {}, {}", deciding.empty() ? "" : " and of ", i,
                            to_string(c.arguments[static_cast<size_t>(i)].fake->meta));
  }
  if (tried == 0) return "";
  const std::string follow = strides ? "the predicted strides follow" : "the predicted dtype follows";
  const char* what = strides ? "layout" : "dtype";
  if (deciding.empty()) return fmt::format("{} no operand's {}", follow, what);
  return fmt::format("{} the {} of {}", follow, what, deciding);
}

/// Returns the dims of size above 1 in memory order, outermost first. Empty if `text` is not the text form of a tensor,
/// or has fewer than two of these dims.
std::string memory_order(const std::string& text) {
  try {
    const TensorMeta m = parse_meta_text(text).meta;
    std::vector<size_t> dims = dims_outermost_first(m);
    std::erase_if(dims, [&](size_t d) { return m.sizes[d].as_int() <= 1; });
    if (dims.size() < 2) return "";
    return fmt::format("{}", fmt::join(dims, ", "));
  } catch (const Error&) {
    return "";
  }
}

std::string_view who_saw(Witness w) {
  switch (w) {
    case Witness::Eager:
      return "the eager run";
    case Witness::Kernel:
      return "the kernel's own result";
    case Witness::Record:
      return "the record";
    case Witness::Device:
      return "the same call on the cpu";
    default:
      return name(w);
  }
}

}  // namespace

std::string cause_in_words(const CallCase& call, const Finding& f) {
  if (is_of_memory(f.field)) return "";  // a fault of the kernel, which does not depend on the prediction
  std::string text = deciding_operands(call, f);
  if (text.empty()) text = who_predicted(call);
  if (f.field == FindingField::Stride) {
    const std::string mine = memory_order(f.predicted), seen = memory_order(f.observed);
    if (!mine.empty() && !seen.empty() && mine != seen) {
      return text +
             fmt::format("; that puts the dims in memory in order {}, {} has order {}", mine, who_saw(f.witness), seen);
    }
  }
  return text;
}

}  // namespace ersatz

#include "runtime/autograd/operator_node.h"

#include <algorithm>

#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/op_entry.h"

namespace ersatz {

ERSATZ_DEFINE_POOL(OperatorNode)

namespace {

/// Stores the gradient `v` of one argument in `outputs[at]`. For a list argument, stores `count` gradients from
/// `outputs[at]` on.
void hand_out(const Value& v, uint16_t count, bool list, uint32_t at, Gradients& outputs) {
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

/// Returns the public name of a saved value: the name of the argument or result in the schema.
std::string part_name(const FunctionSchema& schema, const SavedPart& part) {
  if (part.of == SavedPart::Of::Argument) return std::string(schema.arguments[part.index].name);
  if (part.index < schema.returns.size() && !schema.returns[part.index].name.empty())
    return std::string(schema.returns[part.index].name);
  return schema.returns.size() < 2 ? "result" : fmt::format("result{}", part.index);
}

}  // namespace

bool OperatorNode::find_saved(std::string_view name, size_t item, SavedTensor*& found) {
  const auto& parts = derivative_.parsed.parts;
  bool known = false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].what != SavedPart::What::Itself || part_name(derivative_.op->schema, parts[i]) != name) continue;
    known = true;
    if (i < saved_.size() && item < saved_[i].tensors.size()) found = &saved_[i].tensors[item];
  }
  return known;
}

void OperatorNode::visit_saved(const std::function<void(const Tensor&)>& f) const {
  for (const SavedValue& v : saved_) {
    for (const SavedTensor& t : v.tensors) {
      if (t.data) f(t.data);
    }
  }
}

bool OperatorNode::connect(std::span<const Value> args) {
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

void OperatorNode::save_arguments(std::span<const Value> args, std::span<const uint16_t> written) {
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
    saved_[i].keep(parts[i].what, v, -1, is_written);
  }
}

void OperatorNode::note_versions() {
  for (SavedValue& v : saved_) {
    for (SavedTensor& t : v.tensors) {
      if (t.data) t.version = t.data.version();
    }
  }
}

void OperatorNode::note_versions(uint16_t argument) {
  const auto& parts = derivative_.parsed.parts;
  for (size_t i = 0; i < saved_.size(); ++i) {
    if (parts[i].of != SavedPart::Of::Argument || parts[i].index != argument) continue;
    for (SavedTensor& t : saved_[i].tensors) {
      if (t.data) t.version = t.data.version();
    }
  }
}

void OperatorNode::save_results(std::span<const Value> results) {
  const auto& parts = derivative_.parsed.parts;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!(parts_ >> i & 1) || parts[i].of != SavedPart::Of::Result) continue;
    const uint16_t at = parts[i].index;
    if (at >= results.size()) continue;
    // A result without a gradient has no edge to this node, so it is saved like an argument that requires no gradient.
    const bool has_gradient = derivative_.parsed.results >> std::min<size_t>(at, 63) & 1;
    saved_[i].keep(parts[i].what, results[at], has_gradient ? static_cast<int16_t>(at) : int16_t(-1), false);
  }
}

void OperatorNode::apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) {
  if (freed_) {
    fail_argument(
        "Trying to backward through the graph a second time: what {} saved was freed by the first; ask the first to "
        "retain the graph",
        node_name());
  }
  if (derivative_.verdict == GradientVerdict::Missing) {
    Error e(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
            fmt::format("{}: {} has no derivative here, and a gradient through it is asked for", derivative_.op->base(),
                        derivative_.op->name));
    e.op = derivative_.op->base();
    e.source = source;
    throw e;
  }
  InlineVec<Value, 4> saved;
  for (size_t i = 0; i < saved_.size(); ++i) saved.push_back(saved_[i].unpack(*this));
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
  for (size_t i = 0; i < next.size(); ++i) {  // the gradient of a real tensor is the real part
    if (!next[i] || !outputs[i] || !is_complex(outputs[i].dtype())) continue;
    if (!is_complex(next[i].node()->inputs[next[i].input()].dtype)) {
      outputs[i] = gradient_ops().real_part(outputs[i]);
    }
  }
}

}  // namespace ersatz

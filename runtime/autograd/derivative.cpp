#include "runtime/autograd/derivative.h"

#include <algorithm>
#include <mutex>

#include "runtime/op/registry.h"

namespace ersatz {

std::string_view name(GradientVerdict v) {
  constexpr std::string_view names[] = {"row", "items", "parts", "no_gradient", "refused", "missing"};
  return names[static_cast<size_t>(v)];
}

namespace {

/// `MulBackward0` of `mul`: what PyTorch calls the node of an operator's first overload.
std::string usual_node_name(std::string_view base) {
  std::string name;
  bool up = true;
  for (const char c : base) {
    if (c == '_') {
      up = true;
    } else {
      const bool digit = c >= '0' && c <= '9';
      name += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      up = digit;
    }
  }
  return name + "Backward0";
}

std::unique_ptr<Derivative> resolve(const OpEntry& op) {
  auto d = std::make_unique<Derivative>();
  d->op = &op;
  const DerivativeRow* row = &op.derivative;
  if (row->kind == DerivativeRow::Kind::None && op.functional) {
    const DerivativeRow& functional = op.functional->derivative;
    if (op.out_arguments == 0 || functional.kind == DerivativeRow::Kind::NoGradient) row = &functional;
  }
  d->real_only = op.real_derivative || (row != &op.derivative && op.functional->real_derivative);
  d->node = row->node.empty() ? usual_node_name(op.base()) : std::string(row->node);
  switch (row->kind) {
    case DerivativeRow::Kind::NoGradient:
      d->verdict = GradientVerdict::NoGradient;
      return d;
    case DerivativeRow::Kind::Refused:
      d->verdict = GradientVerdict::Refused;
      return d;
    case DerivativeRow::Kind::None:
      d->verdict = op.implicit && op.parts() ? GradientVerdict::Parts : GradientVerdict::Missing;
      return d;
    case DerivativeRow::Kind::Items:
      d->verdict = GradientVerdict::Items;
      d->of_item = &op_named(row->text);
      return d;
    case DerivativeRow::Kind::Formula:
      if (row->text != "parts") break;
      d->verdict = GradientVerdict::Parts;
      return d;
  }
  d->verdict = GradientVerdict::Row;
  d->parsed = parse_derivative(op, row->text);
  for (const GradientStatement& s : d->parsed.statements) {
    d->arguments.insert(d->arguments.end(), s.arguments.begin(), s.arguments.end());
  }
  for (const SavedPart& p : d->parsed.parts) {
    d->reads_what_is_written |= p.of == SavedPart::Of::Argument && p.what == SavedPart::What::Itself &&
                                std::find(op.written.begin(), op.written.end(), p.index) != op.written.end();
  }
  return d;
}

}  // namespace

const Derivative& derivative_of(const OpEntry& op) {
  if (const void* known = op.resolved_derivative.load(std::memory_order_acquire)) {
    return *static_cast<const Derivative*>(known);
  }
  static std::mutex mutex;
  static std::vector<std::unique_ptr<Derivative>> all;
  std::unique_ptr<Derivative> made = resolve(op);
  const std::lock_guard lock(mutex);
  if (const void* known = op.resolved_derivative.load(std::memory_order_acquire)) {
    return *static_cast<const Derivative*>(known);
  }
  op.resolved_derivative.store(made.get(), std::memory_order_release);
  all.push_back(std::move(made));
  return *all.back();
}

}  // namespace ersatz

#include "runtime/autograd/derivative.h"

#include <algorithm>
#include <mutex>

#include "runtime/op/registry.h"

namespace ersatz {

std::string_view name(GradientVerdict v) {
  constexpr std::string_view names[] = {"row", "items", "parts", "copied", "no_gradient", "refused", "missing"};
  return names[static_cast<size_t>(v)];
}

namespace {

/// Returns `MulBackward0` for `mul`: PyTorch's name of the node that an operator's first overload makes.
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

bool is_out_form(const OpEntry& op) {
  return std::any_of(op.written.begin(), op.written.end(),
                     [&](uint16_t i) { return op.schema.arguments[i].keyword_only; });
}

/// Returns the functional form of an `out=` form; null if none is registered.
const OpEntry* without_out(const OpEntry& op) {
  if (op.functional) return op.functional;
  std::string overload(op.schema.overload);
  if (overload.ends_with("_out")) {
    overload.resize(overload.size() - 4);
  } else if (overload == "out" || overload == "output" || overload == "grad_input") {
    overload = "default";
  }
  const std::string name = fmt::format("{}.{}.{}", op.schema.ns, op.base(), overload);
  const OpEntry* found = registry().find(name);  // if the names differ, find() has resolved a short name to another
                                                 // operator
  return found && found != &op && found->name == name ? found : nullptr;
}

/// Returns whether `f` belongs to an `out=` operator that ATen generates (schema tag `generated`). PyTorch's autograd
/// allows calls of generated `out=` operators and refuses the others.
bool is_generated(const WrittenForm& f) {
  return f.row_major && f.cast == WrittenCast::Own && !f.apart && !f.may_overlap && !f.own_elements && !f.of_complex &&
         f.dtype_argument == WrittenForm::kNone && f.anew_of_rank == WrittenForm::kNone;
}

void resolve_out_form(const OpEntry& op, Derivative& d) {
  const OpEntry* of = without_out(op);
  const std::string_view said = op.derivative.text;
  if (of && derivative_of(*of).verdict == GradientVerdict::NoGradient) {
    d.verdict = GradientVerdict::NoGradient;
  } else if (said == kOutRefused) {
    d.refuses_out = true;
  } else if (said == kOutPasses) {
  } else if (said == kOutCopied) {
    ERSATZ_ASSERT(of, "{} is the out= form of no operator", op.name);
    d.verdict = GradientVerdict::Copied;
    d.returns = of;
  } else if (op.implicit && op.parts()) {
    d.verdict = GradientVerdict::Parts;
  } else {
    d.refuses_out = !is_generated(op.form) && !(of && derivative_of(*of).verdict == GradientVerdict::Missing);
  }
}

std::unique_ptr<Derivative> resolve(const OpEntry& op) {
  auto d = std::make_unique<Derivative>();
  d->op = &op;
  const DerivativeRow* row = &op.derivative;
  if (row->kind == DerivativeRow::Kind::None && op.functional) {
    if (!is_out_form(op)) row = &op.functional->derivative;
  }
  d->real_only = op.real_derivative || (row != &op.derivative && op.functional->real_derivative);
  d->node = row->node.empty() ? usual_node_name(op.base()) : std::string(row->node);
  if (is_out_form(op) && row->kind != DerivativeRow::Kind::Formula) {
    resolve_out_form(op, *d);
    return d;
  }
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

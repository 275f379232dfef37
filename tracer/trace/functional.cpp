#include "tracer/trace/functional.h"

#include <algorithm>

#include "fake/mode/active_fake_mode.h"
#include "fake/mode/constants.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "tracer/run/tagged_call.h"
#include "tracer/trace/functional_form.h"
#include "tracer/trace/tracer.h"

namespace ersatz {

namespace {

bool same_sizes(const Tensor& a, const Tensor& b) { return sym_eq(a.sizes(), b.sizes()); }

/// Returns the arguments that the functional form of an op has too: all except `out=` arguments.
std::vector<Value> given_to_form(const OpEntry& op, std::vector<Value> args) {
  std::vector<Value> given;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!is_out_argument(op.schema.arguments[i])) given.push_back(std::move(args[i]));
  }
  return given;
}

/// Returns whether the op may be recorded as a call on copies. It must be a plugin's op that returns none of its
/// written arguments, and the tensors in the call must share no memory.
bool may_run_on_copies(const OpEntry& op, std::span<const Value> args) {
  if (!op.tags.has(Tag::Foreign)) return false;
  for (const Argument& r : op.schema.returns) {
    if (r.alias) return false;
  }
  std::vector<Tensor> written;
  for (const uint16_t i : op.written) {
    if (args[i].is_none()) continue;
    if (!args[i].is_tensor()) return false;
    for (const Tensor& other : written) {
      if (other.shares_storage(args[i].tensor())) return false;
    }
    written.push_back(args[i].tensor());
  }
  return true;
}

}  // namespace

void FunctionalState::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (!op.written.empty()) return write(op, args, results);
  std::vector<Value> used = current(args);
  const size_t before = results.size();
  record_view(op, used, results);
  if (op.tags.has(Tag::Lift)) {  // it is recorded as a copy, because a copy shares no memory with the literal
    for (size_t r = before; r < results.size(); ++r) results[r] = Value(stand_in(results[r].tensor()));
  } else {
    note_views(op, args, used, results, before);
  }
}

/// Returns another tensor object that has the value of `t` in the trace. If the value of a fake is known, the new
/// tensor has it too.
Tensor FunctionalState::stand_in(const Tensor& t) {
  const Tensor other = make_view(t, t.meta());
  if (const Tensor value = known_value(t)) active_fake_mode()->constants.attach(other, value);
  tracer_.track_as(other, t);
  return other;
}

/// Records the call. If the op is a view and the strides of its first argument do not allow the view, records a copy of
/// that argument and the view of the copy.
void FunctionalState::record_view(const OpEntry& op, std::vector<Value>& args, Values& results) {
  if (!copied_ || !op.tags.has(Tag::View) || args.empty() || !args[0].is_tensor())
    return tracer_.record(op, args, results);
  try {
    tracer_.record(op, args, results);
  } catch (const Error&) {
    const Tensor strided = args[0].tensor();
    if (strided.is_contiguous()) throw;
    const ModeGuard again(tracer_);
    const Value copy = row_major_copy(args[0]);
    copied_->push_back(fmt::format("{} of {}", op.name, strided.meta()));
    args[0] = copy;
    tracer_.record(op, args, results);
  }
}

/// Handles results that share memory with an argument: they become views of the argument's base, or the argument
/// itself.
void FunctionalState::note_views(const OpEntry& op, std::span<const Value> args, std::span<const Value> used,
                                 Values& results, size_t before) {
  size_t result = 0;
  for (size_t r = before; r < results.size(); ++r) {
    results[r] = map_leaves(results[r], [&](const Value& v) {
      const size_t at = result++;
      if (!v.is_tensor()) return v;
      const Tensor made = v.tensor();
      for (size_t i = 0; i < used.size(); ++i) {
        if (!used[i].is_tensor() || !used[i].tensor().shares_storage(made)) continue;
        if (used[i].tensor().is(made)) return args[i];
        const Handle& of = handle(args[i].tensor());
        Handle view{of.base, of.steps, made, of.base->writes};
        view.steps.push_back({&op, {used.begin(), used.end()}, i, at});
        view.steps.back().args[i] = Value();  // otherwise the steps would keep a value of the base in memory
        handles_.insert_or_assign(made.impl()->identity(), std::move(view));
        break;
      }
      return v;
    });
  }
}

FunctionalState::Handle& FunctionalState::handle(const Tensor& t) {
  const auto [at, fresh] = handles_.try_emplace(t.impl()->identity());
  if (fresh) at->second = {std::make_shared<Base>(Base{t.impl()->identity(), t, 0}), {}, t, 0};
  return at->second;
}

Tensor FunctionalState::step_forward(const ViewStep& step, const Tensor& base) {
  std::vector<Value> args = step.args;
  args[step.position] = Value(base);
  Values results, flat;
  record_view(*step.op, args, results);
  flatten(results, flat);
  return flat[step.result].tensor();
}

Tensor FunctionalState::current(const Tensor& t) {
  const auto at = handles_.find(t.impl()->identity());
  if (at == handles_.end()) return t;
  Handle& h = at->second;
  if (h.writes != h.base->writes) {
    Tensor value = h.base->value;
    for (const ViewStep& step : h.steps) value = step_forward(step, value);
    h.value = value;
    h.writes = h.base->writes;
  }
  return h.value;
}

Value FunctionalState::current(const Value& v) {
  return map_leaves(v, [&](const Value& leaf) { return leaf.is_tensor() ? Value(current(leaf.tensor())) : leaf; });
}

std::vector<Value> FunctionalState::current(std::span<const Value> values) {
  std::vector<Value> now;
  now.reserve(values.size());
  for (const Value& v : values) now.push_back(current(v));
  return now;
}

Tensor FunctionalState::written(const Tensor& input) const {
  const auto at = handles_.find(input.impl()->identity());
  if (at == handles_.end() || at->second.base->writes == 0) return {};
  return at->second.base->value;
}

void FunctionalState::write(const OpEntry& op, std::span<const Value> args, Values& results) {
  const OpEntry* form = functional_form(op);
  if (!form && may_run_on_copies(op, args)) return write_copies(op, args, results);
  if (!form) {
    fail(
        ErrorKind::TraceError, ErrorFamily::Runtime,
        "{} writes its argument {}, and no operator without writes answers the same: it cannot be part of a functional "
        "program",
        op.name, op.schema.arguments[op.written[0]].name);
  }
  if (op.tags.has(Tag::InplaceView)) return change_metadata(op, *form, args, results);
  Values answered;
  {
    const ModeGuard again(tracer_);
    dispatch(*form, given_to_form(op, current(args)), answered);
  }
  std::vector<bool> assigned(op.schema.arguments.size(), false);
  for (size_t i = 0; i < op.schema.returns.size(); ++i) {
    const int written = written_by_return(op, i);
    if (written < 0) {
      results.push_back(answered[i]);
      continue;
    }
    assign(op, args, args[written], answered[i]);
    assigned[written] = true;
    results.push_back(args[written]);
  }
  size_t next = op.schema.returns.size();
  for (const uint16_t written : op.written) {
    if (!assigned[written]) assign(op, args, args[written], answered[next++]);
  }
}

void FunctionalState::write_copies(const OpEntry& op, std::span<const Value> args, Values& results) {
  Values answered;
  tracer_.record_on_copies(op, current(args), answered);
  const size_t returns = op.schema.returns.size();
  for (size_t i = 0; i < returns; ++i) results.push_back(answered[i]);
  size_t next = std::max<size_t>(returns, 1);  // None counts as one result
  for (const uint16_t i : op.written) {
    if (!args[i].is_none()) assign(op, args, args[i], answered[next++]);
  }
}

/// Handles an op like `t_` or `squeeze_`: the tensor becomes another view of its base. If its metadata do not change
/// (`detach_`), nothing is recorded.
void FunctionalState::change_metadata(const OpEntry& op, const OpEntry& form, std::span<const Value> args,
                                      Values& results) {
  const Tensor self = args[op.written[0]].tensor();
  const Tensor as_it_was = stand_in(self);
  {
    const SuspendModes untraced(ModeOrder::Tracer);
    dispatch(op, args, results);
  }
  if (self.meta() == as_it_was.meta()) return;
  Handle& h = handle(self);
  // The tensor object changes, but the value in the graph keeps its metadata.
  if (h.base->value.is(self)) h.base->value = as_it_was;
  if (h.value.is(self)) h.value = as_it_was;
  std::vector<Value> given(args.begin(), args.end());
  given[op.written[0]] = Value(current(self));
  Values answered;
  const ModeGuard again(tracer_);
  dispatch(form, given, answered);
  // `made` is a view of the tensor's value. So its steps come after the tensor's own steps.
  const Tensor made = answered[0].tensor();
  const Handle view = handle(made);
  Handle& now = handle(self);
  now.steps.insert(now.steps.end(), view.steps.begin(), view.steps.end());
  now.value = made;
}

void FunctionalState::assign(const OpEntry& op, std::span<const Value> args, const Value& written, const Value& now) {
  if (written.is_tensor()) return assign(op, args, written.tensor(), now.tensor());
  if (written.kind() != Value::Kind::List) return;
  for (size_t i = 0; i < written.as_list().size(); ++i) assign(op, args, written.as_list()[i], now.as_list()[i]);
}

void FunctionalState::assign(const OpEntry& op, std::span<const Value> args, const Tensor& written, Tensor now) {
  now = current(now);
  const Tensor before = current(written);
  if (!same_sizes(now, before)) {
    // The op itself runs besides its functional form, because it may raise, or resize an `out=` tensor.
    const SuspendModes untraced(ModeOrder::Tracer);
    Values ignored;
    dispatch(op, args, ignored);
    if (!handle(written).steps.empty()) {
      fail(ErrorKind::TraceError, ErrorFamily::Runtime,
           "{} gives {}, a view, other sizes: there is no functional form of that", op.name, before.meta());
    }
  }
  const ModeGuard again(tracer_);
  if (now.dtype() != before.dtype()) now = converted_copy(now, before.dtype());
  Handle& h = handle(written);
  std::vector<Tensor> on{h.base->value};
  const std::vector<ViewStep> steps = h.steps;
  const std::shared_ptr<Base> base = h.base;
  for (size_t i = 0; i + 1 < steps.size(); ++i) on.push_back(step_forward(steps[i], on.back()));
  for (size_t i = steps.size(); i-- > 0;) now = current(with_changed_view(steps[i], on[i], now));
  base->value = now;
  ++base->writes;
  // Bumps the version, as the write itself would: autograd then knows that saved tensors and views are outdated.
  written.storage()->bump_version();
  current(written);
}

}  // namespace ersatz

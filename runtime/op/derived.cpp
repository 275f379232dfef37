#include "runtime/op/derived.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/op/behind_values.h"
#include "runtime/op/checked_out.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel_search.h"
#include "runtime/op/type_promotion.h"
#include "runtime/op/written_memory.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

namespace {

/// Returns the number of arguments of the functional op. For an op that is not derived, returns `out`, because all
/// arguments before `out` are inputs.
size_t functional_arguments(const OpEntry& op, size_t out = 0) {
  return op.functional ? op.functional->schema.arguments.size() : out;
}

/// Returns the arguments with `dtype` set to the written argument's dtype. Returns an empty vector if the call gives a
/// dtype, or if the op's form has no dtype argument.
std::vector<Value> with_written_dtype(const OpEntry& op, std::span<const Value> args) {
  const size_t dtype = op.form.dtype_argument;
  if (dtype == WrittenForm::kNone || !args[dtype].is_none()) return {};
  std::vector<Value> filled(args.begin(), args.end());
  filled[dtype] = Value(args[op.written[0]].tensor_impl()->meta.dtype);
  return filled;
}

/// Are the input and the written argument complex, and does the op have a form for complex inputs?
bool writes_complex(const RuleCall& call) {
  return call.op.form.of_complex && is_complex(call.meta(0).dtype) &&
         is_complex(call.meta(functional_arguments(call.op)).dtype);
}

/// Returns the WrittenForm of the call: `of_complex` if the op has that form and the input is complex, else the op's
/// form.
WrittenForm form_of(const RuleCall& call) {
  if (!call.op.form.of_complex || !is_complex(call.meta(0).dtype)) return call.op.form;
  WrittenForm form = *call.op.form.of_complex;
  if (writes_complex(call)) form.row_major = form.may_overlap = false;
  return form;
}

}  // namespace

namespace {
/// Are there arguments of limited dtypes, and is each of these dtypes taken by the derived op (`mul_.Scalar`) but not
/// by its functional op?
bool takes_limited_itself(const RuleCall& call) {
  bool any = false, all = true;
  for_each_tensor(call.args, [&](const TensorImpl* t) {
    if (!kLimitedDTypes.has(t->meta.dtype)) return;
    any = true;
    all = all && call.op.limited_dtypes.has(t->meta.dtype) && !call.op.functional->limited_dtypes.has(t->meta.dtype);
  });
  return any && all;
}
}  // namespace

std::optional<Error> ask_functional(const RuleCall& call, RuleResult& result) {
  std::optional<Error> no_kernel;
  result.no_kernel = &no_kernel;
  try {
    call.ask_functional(result);
  } catch (const Error& e) {
    const bool named = result.outputs.size() >= call.op.functional->schema.returns.size();
    if (no_kernel && !named && !KernelSearchedLast::now()) throw *no_kernel;
    if (!no_kernel && (e.kind != ErrorKind::NotSupported || !named)) throw;
    if (!no_kernel) no_kernel = e;
  }
  result.no_kernel = nullptr;
  if (no_kernel && takes_limited_itself(call)) return std::nullopt;
  return no_kernel;
}

namespace {

/// Does the op compute its result in a temporary, and resize and write the argument afterwards? ATen's generated `out=`
/// overloads do.
bool is_computed_apart(WrittenForm form) {
  const bool casts = form.cast == WrittenCast::Any || form.cast == WrittenCast::OfReals;
  return form.row_major && (!casts || form.may_overlap);
}

void require_dtype_of_form(const RuleCall& call, const TensorMeta& result, const TensorMeta& to, WrittenForm form) {
  const DType from = result.dtype;
  switch (form.cast) {
    case WrittenCast::OfElements:
      if (size_eq(result.numel(), 0)) return;
      [[fallthrough]];
    case WrittenCast::Own:
      if (from != to.dtype && is_computed_apart(form)) {
        const bool own = form.dtype_argument == WrittenForm::kNone;
        if (own && kLimitedDTypes.has(from)) call.require_dtype(from, kAllDTypes);
        call.require_limited_dtypes();
      }
      return call.require(from == to.dtype, "out_dtype", "the out argument must have dtype {}, it is {}", name(from),
                          to);
    case WrittenCast::Truth:
      return call.require(to.dtype == DType::Bool || to.dtype == DType::U8, "out_dtype",
                          "the out argument must be bool or u8, it is {}", to);
    case WrittenCast::Floating:
      return call.require(!is_integral(to.dtype), "result_type",
                          "the out argument must be floating point or complex, it is {}", to);
    case WrittenCast::OfReals: {
      const DType input = call.meta(0).dtype;
      call.require(!is_complex(to.dtype) || to.dtype == input, "out_dtype",
                   "a complex out argument must have dtype {}, it is {}", name(input), to);
      [[fallthrough]];
    }
    case WrittenCast::Any:
    case WrittenCast::SameKind:
      if (!can_cast(from, to.dtype)) {
        call.refuse(form.cast_family, "result_type", "a result of dtype {} cannot be written to {}", name(from), to);
      }
  }
  if (form.cast == WrittenCast::SameKind && is_complex(to.dtype)) {
    const TensorMeta& input = call.args[0].tensor_impl()->meta;
    if (!is_complex(input.dtype) && size_ne(input.numel(), 0)) call.require_dtype(to.dtype, kFloats);
  }
}

void require_writable(const RuleCall& call, const TensorMeta& result, const TensorImpl* written, WrittenForm form) {
  const TensorMeta& to = written->meta;
  require_dtype_of_form(call, result, to, form);
  if (to.device != result.device) {
    Error e(ErrorKind::DeviceMismatch, ErrorFamily::Runtime,
            fmt::format("{}: found two different devices {}, {}: the result cannot be written to {} [{}.device]",
                        call.op.base(), to_string(result.device), to_string(to.device), to, call.op.base()));
    e.op = call.op.base();
    e.label = fmt::format("{}.device", call.op.base());
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (call.args[i].is_tensor() && call.args[i].tensor_impl() == written) e.argument = static_cast<int>(i);
    }
    e.suggestion = fmt::format("give it an output on {}", to_string(result.device));
    throw e;
  }
}

/// Raises an error if `input` partially shares memory with `written`, whose metadata are `after` when the kernel runs.
/// If `apart`, also raises for an input with exactly the same elements.
void refuse_shared_memory(const RuleCall& call, const TensorImpl* input, const TensorImpl* written,
                          const TensorMeta& after, bool apart) {
  if (input->storage != written->storage) return;
  const SharedMemory shared = input == written ? SharedMemory::Full : shared_memory(input->meta, after, true);
  call.require(shared != SharedMemory::Partial && !(apart && shared == SharedMemory::Full), "overlap",
               "some elements of the input {} and the written-to tensor {} refer to a single memory location; "
               "clone() the input first",
               input->meta, after);
}

/// Raises an error if two elements of `written` share memory, or if an input shares part of its memory. For an in-place
/// call, `self` is the written argument, and its first occurrence among the inputs is skipped. For `out=` ops, `self`
/// is null.
void require_no_overlap_but(const TensorImpl* self, const RuleCall& call, const TensorImpl* written,
                            std::span<const Value> inputs, WrittenForm form) {
  if (form.may_overlap && !form.own_elements) return;
  call.require(internal_overlap(written->meta) != Overlap::Yes, "overlap",
               "more than one element of the written-to tensor {} refers to a single memory location; clone() it first",
               written->meta);
  if (form.may_overlap || is_computed_apart(form)) return;
  bool self_seen = false;
  for_each_tensor(inputs, [&](const TensorImpl* input) {
    if (input == self && !self_seen) {
      self_seen = true;
      return;
    }
    refuse_shared_memory(call, input, written, written->meta, form.apart);
  });
}

/// Raises an error if an `out=` argument that must be resized shares a storage with an input. If that input is the
/// argument itself, the resize would lose its elements. Another input is accepted if it is read before the resize
/// (`reads_first`), or if it does not overlap the resized argument. Nothing is checked if the result is
/// `computed_apart`. If `looks`, PyTorch raises an error too; otherwise PyTorch's result is undefined.
void require_no_input_resized(const RuleCall& call, const TensorImpl* written, const TensorMeta& resized,
                              std::span<const Value> inputs, bool looks, bool reads_first, bool computed_apart) {
  if (computed_apart) return;
  for_each_tensor(inputs, [&](const TensorImpl* input) {
    if (input->storage != written->storage) return;
    const bool apart =
        input != written && (reads_first || shared_memory(input->meta, resized, true) == SharedMemory::No);
    call.require(apart, looks ? "overlap" : "overlap.or_any",
                 "the out argument {} has to be resized to {}, and the input {} is in its memory", written->meta,
                 resized, input->meta);
  });
}

/// Returns an expression that is 1 if data-dependent sizes `result` and `own` are equal, else 0. Returns nullopt if the
/// comparison does not depend on data.
std::optional<SymInt> fit_of_data(const RuleCall& call, std::span<const SymInt> result, std::span<const SymInt> own) {
  if (!call.op.tags.has(Tag::DataDependent) || result.size() != own.size()) return std::nullopt;
  SymInt fit = 1;
  for (size_t d = 0; d < own.size(); ++d) {
    if (sym_eq(result[d], own[d])) continue;
    if (has_example(result[d]) && has_example(own[d])) return std::nullopt;
    fit = fit * truth_of({SymCompare::Eq, result[d], own[d]});
  }
  return fit.is_symbolic() ? std::optional(fit) : std::nullopt;
}

/// Does the written argument get the result's strides even if its sizes fit? On CUDA it never does.
bool is_laid_out_anew(const RuleCall& call, const TensorMeta& result, const WrittenForm& form) {
  return form.anew_of_rank != WrittenForm::kNone && !call.device.is_cuda() &&
         (call.meta(0).sizes.size() == form.anew_of_rank || !sym_eq(result.strides, contiguous_strides(result.sizes)));
}

/// Does the written argument get the conj bit of the result, for example of a solution of X A = B? Yes, if the result
/// is computed in the argument's memory, which requires a contiguous argument. Otherwise the result is copied, and the
/// argument keeps its conj bit.
bool becomes_conj(const TensorMeta& result, const TensorMeta& written, const WrittenForm& form) {
  const bool in_place = !form.may_overlap && !is_computed_apart(form);
  return result.conj && !written.conj && in_place && is_contiguous(written);
}

/// Raises an error if one tensor is the `out=` argument of two results of different sizes, because the second resize
/// would change the first result.
void require_one_size_each(const RuleCall& call, size_t first_out, std::span<const OutputSpec> results) {
  for (size_t k = 1; k < results.size(); ++k) {
    for (size_t j = 0; j < k; ++j) {
      const bool one = call.args[first_out + j].tensor_impl() == call.args[first_out + k].tensor_impl();
      call.require(!one || same_sizes(results[j].meta.sizes, results[k].meta.sizes), "overlap.or_any",
                   "one tensor cannot hold both result {} of sizes {} and result {} of sizes {}; give each its own", j,
                   results[j].meta.sizes, k, results[k].meta.sizes);
    }
  }
}

}  // namespace

void require_no_overlap(const RuleCall& call, const TensorImpl* written, std::span<const Value> inputs,
                        WrittenForm form) {
  require_no_overlap_but(nullptr, call, written, inputs, form);
}

void require_memory_apart(const RuleCall& call, size_t input, size_t out, const TensorMeta& after) {
  refuse_shared_memory(call, call.tensor(input), call.tensor(out), after, true);
}

void require_no_partial_overlap(const RuleCall& call, size_t input, size_t out, const TensorMeta& after) {
  refuse_shared_memory(call, call.tensor(input), call.tensor(out), after, false);
}

void derived_inplace_rule(RuleCall& call) {
  const std::vector<Value> filled = with_written_dtype(call.op, call.args);
  RuleCall typed = call.with(filled.empty() ? call.args : filled, call.out);
  RuleResult functional;
  const std::optional<Error> no_kernel = ask_functional(typed, functional);
  TensorImpl* self = call.tensor(0);
  const TensorMeta& result = functional.outputs[0].meta;
  call.require(check_eq(result.sizes, self->meta.sizes), "inplace_size",
               "the result has sizes {}, which do not fit in place into {}", result.sizes, self->meta);
  require_writable(call, result, self, call.op.form);
  require_no_overlap_but(self, call, self, call.args, call.op.form);
  if (no_kernel) throw *no_kernel;
  call.out.same(self);
}

namespace {

/// The state of a call before answer_out_form checks its written argument.
struct OutChecks {
  bool memory_checked = false;  ///< the rule has called require_no_overlap
  bool kernel_missing = false;  ///< PyTorch raises the missing kernel's error before it copies the result to `out`
};

/// Implements answer_out.
void answer_out_form(RuleCall& call, const TensorMeta& result, size_t out, WrittenForm form, OutChecks checks) {
  TensorImpl* written = call.tensor(out);
  const std::span<const Value> inputs = call.args.first(functional_arguments(call.op, out));
  require_writable(call, result, written, form);
  if (const auto fit = fit_of_data(call, result.sizes, written->meta.sizes)) {
    if (!checks.memory_checked) require_no_overlap(call, written, inputs, form);
    TensorMeta either = written->meta;
    either.sizes = result.sizes;
    const DimVec anew = form.row_major ? contiguous_strides(result.sizes) : result.strides;
    for (size_t d = 0; d < anew.size(); ++d) either.strides[d] = anew[d] + *fit * (either.strides[d] - anew[d]);
    return call.out.same(written, std::move(either));
  }
  const bool fits = same_sizes(result.sizes, written->meta.sizes);
  // If the written argument does not have the result's dtype, ATen's pointwise kernels write it by a copy. The copy
  // checks for shared memory.
  const bool copies = result.dtype != written->meta.dtype && call.op.tags.has(Tag::Pointwise) && !form.row_major;
  form.own_elements |= copies && fits && !checks.kernel_missing;
  // ATen's TensorIterator checks for shared memory before it resizes `out`. ATen's generated `out=` overloads resize
  // first.
  const bool looks_first = call.op.tags.has(Tag::Pointwise) && !form.row_major;
  const bool reads_first = looks_first || form.may_overlap || is_computed_apart(form);
  const bool anew = is_laid_out_anew(call, result, form);
  if (!checks.memory_checked && ((fits && !anew) || looks_first)) require_no_overlap(call, written, inputs, form);
  if (fits && !anew) {
    if (!becomes_conj(result, written->meta, form)) return call.out.same(written);
    TensorMeta conj = written->meta;
    conj.conj = true;
    return call.out.same(written, std::move(conj));
  }
  TensorMeta resized = written->meta;
  resized.sizes = result.sizes;
  resized.strides = form.row_major ? contiguous_strides(result.sizes) : result.strides;
  resized.conj |= becomes_conj(result, resized, form);
  if (!fits && !(form.row_major && form.may_overlap))
    require_no_input_resized(call, written, resized, inputs, looks_first || form.apart, reads_first,
                             is_computed_apart(form));
  call.out.same(written, std::move(resized));
}

}  // namespace

void answer_out(RuleCall& call, const TensorMeta& result, size_t out, WrittenForm form) {
  answer_out_form(call, result, out, form, {});
}

void answer_checked_out(RuleCall& call, const TensorMeta& result, size_t out, WrittenForm form) {
  answer_out_form(call, result, out, form, {.memory_checked = true});
}

void derived_out_rule(RuleCall& call) { derived_out_rule(call, form_of(call)); }

void derived_out_rule(RuleCall& call, const WrittenForm& form) { derived_out_rule(call, {&form, 1}, false); }

void derived_out_rule(RuleCall& call, std::span<const WrittenForm> forms, bool kernel_first) {
  const WrittenForm& form = forms[0];
  const std::vector<Value> filled = with_written_dtype(call.op, call.args);
  RuleCall typed = call.with(filled.empty() ? call.args : filled, call.out);
  // If the dtype of `out=` does not depend on the input (all, any, logsumexp), ATen checks it before the input's dims.
  if (form.cast == WrittenCast::Truth || form.cast == WrittenCast::Floating)
    require_dtype_of_form(call, {}, call.meta(functional_arguments(call.op)), form);
  RuleResult functional;
  const std::optional<Error> no_kernel = ask_functional(typed, functional);
  const bool at_once = is_computed_apart(form) && !form.may_overlap && !KernelSearchedLast::now();
  if (no_kernel && at_once) throw *no_kernel;
  const size_t inputs = functional_arguments(call.op);
  if (writes_complex(call))
    functional.outputs[0].meta.strides = preserved_strides(call.meta(0).sizes, call.meta(0).strides);
  const auto answer = [&] {
    for (size_t k = 0; k < functional.outputs.size(); ++k) {
      call.require(functional.outputs[k].kind != OutputSpec::Kind::None, "out_none",
                   "an out= form writes each of its {} results, and result {} is not asked for",
                   functional.outputs.size(), k);
      WrittenForm of_result = forms[std::min(k, forms.size() - 1)];
      if (no_kernel && kernel_first) of_result.may_overlap = true, of_result.own_elements = false;
      answer_out_form(call, functional.outputs[k].meta, inputs + k, of_result,
                      {.kernel_missing = no_kernel.has_value()});
    }
    require_one_size_each(call, inputs, functional.outputs);
  };
  // A result in a temporary is computed before PyTorch checks the written arguments.
  const bool behind_values = at_once && call.op.tags.has(Tag::FailsOnValues);
  behind_values ? check_behind_values(call.op.base(), ErrorFamily::Index, answer) : answer();
  if (no_kernel) throw *no_kernel;
}

void kernel_first_out_rule(RuleCall& call) { derived_out_rule(call, {&call.op.form, 1}, true); }

namespace {
/// Do two tensors on one storage have the same elements in the same order?
bool same_geometry(const TensorMeta& a, const TensorMeta& b) {
  return a.dtype == b.dtype && sym_eq(a.offset, b.offset) && sym_eq(a.sizes, b.sizes) && sym_eq(a.strides, b.strides);
}
}  // namespace

void derived_kernel(KernelCall& call) {
  const OpEntry& functional = *call.op.functional;
  const std::vector<Value> filled = with_written_dtype(call.op, call.args);
  const std::span<const Value> inputs = (filled.empty() ? call.args : filled).first(functional_arguments(call.op));
  RuleResult rule;
  // An output that is also an input was resized already, so sizes in `rule` may be wrong. Only dtype, device and
  // aliasing are used.
  std::optional<Error> refused_by_functional;  // ignored, because the derived op's rule has accepted the dtypes
  rule.no_kernel = &refused_by_functional;
  run_rule(functional, inputs, rule);
  OutputTensors targets;
  bool through_temporary = false;
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    const Tensor& out = call.outputs[k];
    // If elements of the output share memory, a copy writes them, because the copy has a fixed order and the kernel has
    // none.
    bool direct = out.dtype() == rule.outputs[k].meta.dtype &&
                  (!call.op.form.may_overlap || internal_overlap(out.meta()) != Overlap::Yes);
    for_each_tensor(inputs, [&](const TensorImpl* t) {
      if (t->storage != out.storage()) return;
      bool same_elements = t == out.impl() || same_geometry(t->meta, out.meta()) ||
                           shared_memory(t->meta, out.meta(), true) == SharedMemory::Full;
      if (!(functional.tags.has(Tag::Pointwise) && same_elements && t->meta.dtype == out.dtype())) direct = false;
    });
    through_temporary |= !direct;
    targets.push_back(direct ? out : make_real_tensor(std::move(rule.outputs[k].meta)));
  }
  run_kernel(functional, inputs, targets, kernel_device(inputs, targets));
  if (!through_temporary) return;
  for (size_t k = 0; k < call.outputs.size(); ++k) {
    if (!targets[k].is(call.outputs[k])) copy_elements(call.outputs[k], targets[k]);
  }
}

}  // namespace ersatz

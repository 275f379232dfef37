// Properties of every registered op, tested with its own samples in every layout.
#include <gtest/gtest.h>

#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

using Args = std::vector<Value>;

std::vector<Tensor> tensors_of(const Values& values) {
  std::vector<Tensor> found;
  for_each_tensor(values, [&](TensorImpl* t) { found.emplace_back(Ref<TensorImpl>(t)); });
  return found;
}

Values run_op(const OpEntry& op, const Args& args) {
  Values results;
  dispatch(op, args, results);
  return results;
}

std::string show(const OpEntry& op, std::string_view arguments, SampleLayout layout) {
  return fmt::format("{}({}) {}", op.name, arguments, name(layout));
}

/// The samples of an op, or of its functional op.
const std::vector<Sample>& samples_of(const OpEntry& op) { return op.functional ? op.functional->samples : op.samples; }

/// True for ops that read strides: views, and copies of views. In another layout than that of the sample, they return
/// other values or refuse the call.
bool depends_on_layout(const OpEntry& op) {
  for (std::string_view copy :
       {"aten.as_strided_copy.default", "aten.as_strided_scatter.default", "prims.as_strided_scatter.default",
        "aten.view_as_complex_copy.default", "aten.view_copy.dtype", "aten._unsafe_view.out",
        "aten._reshape_alias_copy.default", "aten._reshape_alias_copy.out", "aten._foreach_addcdiv.Tensor",
        "aten._foreach_addcdiv_.Tensor", "aten._foreach_addcdiv.Tensor_out", "aten._foreach_addcmul.Tensor",
        "aten._foreach_addcmul_.Tensor", "aten._foreach_addcmul.Tensor_out"}) {
    if (op.name == copy) return true;
  }
  // Ops whose operands must be row-major, contiguous or viewable. Also ops whose fast path for adjacent elements leaves
  // out a part of their results.
  for (std::string_view base : {"conv_tbc",
                                "conv_tbc_backward",
                                "nll_loss2d_backward",
                                "_pdist_forward",
                                "_pdist_backward",
                                "_embedding_bag",
                                "embedding_bag",
                                "_embedding_bag_forward_only",
                                "_embedding_bag_backward",
                                "_embedding_bag_per_sample_weights_backward",
                                "lstm",
                                "gru",
                                "rnn_tanh",
                                "rnn_relu",
                                "_grouped_mm",
                                "_int_mm",
                                "_scaled_mm",
                                "_scaled_mm_v2",
                                "_weight_int8pack_mm",
                                "_weight_int4pack_mm_for_cpu",
                                "_weight_norm_interface_backward",
                                "_weight_norm_differentiable_backward"}) {
    if (op.base() == base) return true;
  }
  return op.tags.has(Tag::View) || op.tags.has(Tag::InplaceView);
}

/// True for ops that factor a row-major matrix as its transpose: the factors depend on the layout, but not the
/// determinant or the solution.
bool factors_by_layout(const OpEntry& op) {
  for (std::string_view base : {"_linalg_det", "_linalg_slogdet", "_linalg_solve_ex"}) {
    if (op.base() == base) return true;
  }
  return false;
}

bool has_comparable_values(const OpEntry& op) {
  return !op.tags.has(Tag::Random) && !op.tags.has(Tag::Uninitialized) && !op.tags.has(Tag::Nondeterministic);
}

/// A tolerance that allows another order of summation, but no wrong element.
double layout_tolerance(const OpEntry& op, DType t) { return std::max(10 * default_tolerance(t), op.tolerance); }

void expect_same_values(const OpEntry& op, const std::vector<Tensor>& a, const std::vector<Tensor>& b,
                        const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(to_string(a[i].meta().sizes), to_string(b[i].meta().sizes)) << what << " result " << i;
    int64_t at = first_difference(elements(a[i]), elements(b[i]), layout_tolerance(op, a[i].dtype()));
    EXPECT_EQ(at, -1) << what << " result " << i << "\n  " << to_string(a[i]) << "\n  " << to_string(b[i]);
  }
}

/// The label of the error that `f` raises, its message if it has no label, or `accepted`.
template <class F>
std::string refusal_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.label.empty() ? e.message : e.label;
  }
  return "accepted";
}
std::string refusal(const OpEntry& op, const Args& args) {
  return refusal_of([&] { run_op(op, args); });
}

TEST(Samples, EveryOpHasOne) {
  ASSERT_FALSE(registry().all().empty());
  for (const OpEntry* op : registry().all()) {
    if (op->tags.has(Tag::Foreign)) continue;
    // Collectives compute values only if their process group is known; tests/ops/collective/collective_test.cpp tests
    // them.
    if (op->tags.has(Tag::Collective)) continue;
    // An op that is always refused has an error sample that shows it.
    const bool refused_always = !op->has_kernel(DeviceType::CPU) && !op->composite && !op->error_samples.empty();
    EXPECT_TRUE(refused_always || !samples_of(*op).empty()) << op->name << " (" << op->source << ") declares no sample";
  }
}

TEST(Samples, EverySampleRunsInEveryLayout) {
  size_t ran = 0;
  for (const OpEntry* op : registry().all()) {
    for (const Sample& sample : op->samples) {
      for (SampleLayout layout : kSampleLayouts) {
        if (!layout_applies(*op, layout)) continue;
        try {
          run_op(*op, sample_arguments(*op, sample, {layout}));
          ++ran;
        } catch (const Error& e) {
          bool lawful =
              layout != SampleLayout::AsWritten && depends_on_layout(*op) && e.kind == ErrorKind::InvalidArgument;
          EXPECT_TRUE(lawful) << show(*op, sample.arguments, layout) << ": " << e.message;
        }
      }
    }
  }
  EXPECT_GT(ran, 0u);
}

TEST(Samples, ResultsHaveTheMetadataThatTheRuleSays) {
  for (const OpEntry* op : registry().all()) {
    if (!op->rule || op->tags.has(Tag::DataDependent)) continue;
    for (const Sample& sample : op->samples) {
      std::string what = show(*op, sample.arguments, SampleLayout::AsWritten);
      RuleResult rule;
      Args first = sample_arguments(*op, sample);
      run_rule(*op, first, rule);
      Values results = run_op(*op, sample_arguments(*op, sample));
      std::vector<Tensor> tensors = tensors_of(results);
      size_t at = 0;
      for (const OutputSpec& o : rule.outputs) {
        if (o.kind == OutputSpec::Kind::Number || o.kind == OutputSpec::Kind::None) continue;
        ASSERT_LT(at, tensors.size()) << what;
        if (!o.unknown_layout) {
          EXPECT_EQ(to_string(tensors[at].meta()), to_string(o.meta)) << what << " result " << at;
        }
        ++at;
      }
      if (!op->schema.returns.empty()) {
        EXPECT_EQ(at, tensors.size()) << what;
      }
    }
  }
}

/// True if elements share a byte: then the layout decides the value.
bool overlaps(const Args& args) {
  bool any = false;
  for_each_tensor(args, [&](TensorImpl* t) { any |= internal_overlap(t->meta) != Overlap::No; });
  return any;
}

TEST(Samples, ValuesDoNotDependOnTheLayout) {
  for (const OpEntry* op : registry().all()) {
    if (depends_on_layout(*op) || factors_by_layout(*op) || !has_comparable_values(*op)) continue;
    for (const Sample& sample : op->samples) {
      Args args = sample_arguments(*op, sample);
      if (overlaps(args)) continue;
      std::vector<Tensor> expected = tensors_of(run_op(*op, args));
      for (SampleLayout layout : {SampleLayout::Permuted, SampleLayout::Sliced}) {
        Values results = run_op(*op, sample_arguments(*op, sample, {layout}));
        expect_same_values(*op, tensors_of(results), expected, show(*op, sample.arguments, layout));
      }
    }
  }
}

TEST(Samples, EveryErrorSampleIsRefusedWithItsLabel) {
  for (const OpEntry* op : registry().all()) {
    for (const ErrorSample& sample : op->error_samples) {
      std::string what = show(*op, sample.arguments, SampleLayout::AsWritten);
      std::string refused = refusal_of([&] { run_op(*op, sample_arguments(*op, sample)); });
      if (sample.label.empty()) {  // no constraint failed: the op has no kernel for the dtype
        EXPECT_TRUE(refused.starts_with(fmt::format("{}: not implemented for ", op->base())))
            << what << ": " << refused;
      } else {
        EXPECT_EQ(refused, fmt::format("{}.{}", op->base(), sample.label)) << what;
      }
    }
  }
}

TEST(Samples, InPlaceVariantsAgreeWithTheirFunctionalOp) {
  for (const OpEntry* op : registry().all()) {
    if (!op->functional || op->out_arguments > 0) continue;
    const OpEntry& functional = *op->functional;
    for (const Sample& sample : functional.samples) {
      for (SampleLayout layout : {SampleLayout::AsWritten, SampleLayout::Permuted, SampleLayout::Sliced}) {
        std::string what = show(*op, sample.arguments, layout);
        Args args = sample_arguments(*op, sample, {layout});
        if (!args[0].is_tensor()) continue;  // the first argument is a number, which no in-place form can write
        Tensor self = args[0].tensor();
        std::string before = to_string(self.meta());
        Tensor expected = run_op(functional, sample_arguments(functional, sample, {layout}))[0].tensor();
        bool fits = sym_eq(expected.sizes(), self.sizes()) && can_cast(expected.dtype(), self.dtype());
        std::string refused = refusal(*op, args);
        EXPECT_EQ(refused == "accepted", fits) << what << ": " << refused;
        if (refused != "accepted") continue;
        EXPECT_EQ(to_string(self.meta()), before) << what;
        EXPECT_EQ(self.version(), 1u) << what;
        if (has_comparable_values(functional) && self.dtype() == expected.dtype()) {
          expect_same_values(*op, {self}, {expected}, what);
        }
      }
    }
  }
}

/// Outputs for an `out=` form: of the right dtype, and either with the right sizes in another layout or empty.
Args out_arguments(const std::vector<Tensor>& results, bool resized) {
  Args outs;
  for (const Tensor& r : results) {
    TensorMeta meta = r.meta();
    if (resized) {
      meta = TensorMeta(r.dtype(), std::array<SymInt, 1>{0});
    } else if (meta.dim() > 0) {
      DimVec parent = meta.sizes;
      parent.back() = parent.back() * 2 + 1;
      meta.strides = contiguous_strides(parent);
      meta.strides.back() = 2;
      meta.offset = 1;
    }
    outs.emplace_back(make_sample_tensor(meta));
  }
  return outs;
}

TEST(Samples, OutVariantsAgreeWithTheirFunctionalOp) {
  for (const OpEntry* op : registry().all()) {
    if (op->out_arguments == 0) continue;
    const OpEntry& functional = *op->functional;
    for (const Sample& sample : functional.samples) {
      Values functional_results = run_op(functional, sample_arguments(functional, sample));
      std::vector<Tensor> expected = tensors_of(functional_results);
      for (bool resized : {false, true}) {
        std::string what = show(*op, sample.arguments, SampleLayout::AsWritten) + (resized ? " resized" : " strided");
        Args args = sample_arguments(functional, sample);
        Args outs = out_arguments(expected, resized);
        args.insert(args.end(), outs.begin(), outs.end());
        std::string refused = refusal(*op, args);
        // Some of ATen's kernels only write row-major memory; the rules of these ops refuse other layouts with this
        // label.
        if (!resized && refused == fmt::format("{}.layout", op->base())) continue;
        ASSERT_EQ(refused, "accepted") << what;
        std::vector<Tensor> written;
        for (const Value& v : outs) written.push_back(v.tensor());
        if (resized) {
          for (size_t i = 0; i < written.size(); ++i) {
            // ATen's generated out= forms resize to row-major. Its out= forms with TensorIterator resize to the layout
            // of the functional result.
            TensorMeta row_major(expected[i].dtype(), expected[i].sizes());
            bool known = written[i].meta() == expected[i].meta() || written[i].meta() == row_major;
            EXPECT_TRUE(known) << what << ": " << to_string(written[i].meta());
          }
        }
        if (has_comparable_values(functional)) expect_same_values(*op, written, expected, what);
      }
    }
  }
}

}  // namespace
}  // namespace ersatz

#include "tools/program/backward_check.h"

#include <algorithm>
#include <cmath>

#include "fake/crosscheck/crosscheck_mode.h"
#include "fake/crosscheck/value_compare.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/meta_text.h"
#include "tools/output/repro.h"
#include "tools/program/companion_files.h"
#include "tracer/archive/json_stream.h"
#include "tracer/pt2/program_file.h"
#include "tracer/records/recorded_values.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/loss.h"

namespace ersatz::tools {

namespace {

/// The gradient that one leaf got in PyTorch, read from the file of recorded gradients.
struct RecordedRow {
  std::optional<TensorMeta> meta;    ///< nullopt: the leaf got no gradient
  std::vector<std::byte> values;     ///< elements in row-major order; for a large gradient only the first elements
  int64_t count = 0;                 ///< number of elements in `values`
  std::optional<TensorMeta> second;  ///< metadata after a second backward run, if they differ
  bool doubled = false;              ///< the second backward run adds the same gradient again
};
using RecordedRows = std::map<std::string, RecordedRow, std::less<>>;

/// Returns the leaf's name in the program. A row of the file names a user input by its number.
std::string leaf_name(const Program& program, const JsonView& row) {
  if (row.at("kind").string() != "input") return std::string(row.at("name").string());
  int64_t left = row.at("name").integer();
  for (const GraphInput& in : program.main().inputs) {
    if (in.kind != InputKind::UserInput && in.kind != InputKind::ConstantInput) continue;
    if (left-- == 0) return std::string(program.name(program.main().values[in.value].name));
  }
  row.refuse("the program has no input of that number");
}

RecordedRows read_gradients(const std::string& path, const Program& program) {
  const std::string text = read_file(path);
  JsonStream stream(path);
  const Json json = stream.parse(text);
  const JsonView::Tree tree{path, "", &json};
  const JsonView rows = JsonView(tree).at("grads");
  RecordedRows found;
  for (size_t i = 0; i < rows.size(); ++i) {
    const JsonView row = rows.item(i);
    RecordedRow& made = found[leaf_name(program, row)];
    const std::optional<JsonView> gradient = row.find("grad");
    if (!gradient) continue;
    made.meta = parse_meta(gradient->at("t").string());
    if (const auto second = row.find("second_t")) made.second = parse_meta(second->string());
    const auto second = row.find("second");
    made.doubled = second && second->is_string() && second->string() == "double";
    TensorMeta shown = *made.meta;
    std::optional<JsonView> values = gradient->find("v");
    if (!values) {
      values = gradient->find("first");
      if (!values) continue;
      shown = TensorMeta(made.meta->dtype, DimVec{SymInt(static_cast<int64_t>(values->size()))}, kCPU);
    }
    made.values = parse_values(*values, shown);
    made.count = shown.numel().guard_int();
  }
  return found;
}

/// Returns the first `count` elements, in row-major order, as a 1-d tensor.
Tensor first_elements(const Tensor& t, int64_t count) {
  const Tensor rows = gradient_ops().clone(plain(t), MemoryFormat::Contiguous);
  TensorMeta meta(t.dtype(), DimVec{SymInt(count)}, kCPU);
  meta.offset = rows.meta().offset;
  return make_view(rows, meta);
}

/// Returns the largest absolute value of an element; infinity if an element is not finite.
double largest(const Tensor& t) {
  if (t.numel().guard_int() == 0) return 0;
  TensorMeta meta(t.dtype(), t.sizes(), kCPU);
  const Tensor zeros{TensorMeta(meta), Storage::allocate(storage_bytes_needed(meta).as_int(), kCPU)};
  std::fill_n(zeros.storage()->data(), zeros.storage()->nbytes().guard_int(), std::byte{0});
  return largest_error(plain(t), zeros, {0, 1, false});
}

/// Returns the tolerance for a gradient's elements. It is relative to the largest element, because each element is a
/// sum in which terms may cancel.
Tolerance tolerance_of_gradient(const Tensor& expected) {
  Tolerance t = tolerance_of(expected.dtype(), ComparedWith::ProgramEnd);
  t.absolute = std::max(t.absolute, t.relative * largest(expected));
  return t;
}

class BackwardHandler {
 public:
  BackwardHandler(const ProgramInput& input, CrosscheckRunOptions& run, const BackwardCheckOptions& options)
      : input_(input), run_(run), options_(options) {}

  BackwardCheck check() {
    if (!options_.gradients.empty()) recorded_ = read_gradients(options_.gradients, input_.program);
    predict();
    observe();
    judge();
    return std::move(check_);
  }

 private:
  void predict() {
    try {
      check_.predicted = run_backward(input_.program, FakeRunOptions(run_), options_.loss);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      check_.not_predicted = e.message;
    }
  }

  /// Runs forward and backward twice with real tensors. The second run adds to `.grad`, as in PyTorch.
  void observe() {
    std::vector<std::string> ignored;
    const CompanionFiles beside = find_companion_files(input_, run_, ignored);
    SymbolValues symbols(input_.program);
    if (beside.inputs) observe_inputs(input_.program, *beside.inputs, symbols);
    const PreparedProgram prepared(input_.program);
    const FollowAutograd followed;
    const EnableGrad recorded;
    std::vector<Value> first = make_inputs(input_.program, symbols, beside.choice);
    leaves_ = make_leaves(input_.program, first);
    CrosscheckOptions engine = engine_options(run_, run_.waivers);
    if (run_.repros) engine.repro = print_repro;
    CrosscheckMode mode(engine);
    mode.set_node("backward");
    forward_and_backward(prepared, first, &mode);
    check_.report = mode.finish();
    for (const GradientLeaf& leaf : leaves_) {
      const Tensor left = grad(leaf.tensor);
      once_.push_back(left ? gradient_ops().clone(left, MemoryFormat::Preserve) : Tensor());
      metas_.push_back(left ? left.meta() : TensorMeta());
    }
    std::vector<Value> again =
        // A run may write to its inputs, so the second run gets new ones.
        make_inputs(input_.program, symbols, beside.choice);
    for (const GradientLeaf& leaf : leaves_) again[leaf.input] = Value(leaf.tensor);
    forward_and_backward(prepared, again, nullptr);
  }

  void forward_and_backward(const PreparedProgram& prepared, const std::vector<Value>& inputs, CrosscheckMode* mode) {
    Interpreter interpreter(prepared);
    interpreter.leave_inputs();  // backward needs inputs that calls have saved
    const uint64_t drawn = default_generator().state().offset;
    const std::vector<Value> results = interpreter.run(inputs);
    random_ |= default_generator().state().offset != drawn;
    const Loss loss = loss_of(input_.program, results, options_.loss);
    check_.loss = loss.words;
    BackwardOptions how;
    for (const Tensor& t : loss.tensors) {  // the gradient of a sum is 1 for each element
      const ExcludeAutograd excluded;
      TensorMeta one(t.dtype(), t.sizes(), t.device());
      for (SymInt& stride : one.strides) stride = 0;
      TensorMeta number(t.dtype(), DimVec{}, t.device());
      const Tensor made = gradient_ops().ones_like(
          Tensor{TensorMeta(number), Storage::allocate(storage_bytes_needed(number).as_int(), t.device())});
      how.gradients.push_back(make_view(made, one));
    }
    std::optional<ModeGuard> judged;
    if (mode) judged.emplace(*mode);
    backward(loss.tensors, how);
  }

  void judge() {
    for (size_t i = 0; i < leaves_.size(); ++i) {
      CheckedGradient& g = check_.gradients.emplace_back();
      for (const GradientRow& row : check_.predicted.rows) {
        if (row.name == leaves_[i].name && row.is_parameter == leaves_[i].is_parameter) g.row = row;
      }
      g.row.name = leaves_[i].name;
      g.row.is_parameter = leaves_[i].is_parameter;
      const Tensor& once = once_[i];
      if (once) {
        g.observed = to_string(metas_[i]);
        g.finite = std::isfinite(largest(once));
        const std::string now = to_string(grad(leaves_[i].tensor).meta());
        if (now != g.observed) g.second = now;
      }
      const size_t before = check_.report.findings.size();
      bool compared = false;
      if (check_.not_predicted.empty()) {
        compared = true;
        compare(g, g.row.gradient.empty() ? std::nullopt : std::optional(parse_meta(g.row.gradient)), i,
                Witness::Kernel);
      }
      if (const auto at = recorded_.find(g.row.name); at != recorded_.end()) {
        compared = true;
        ++check_.with_record;
        g.recorded = at->second.meta ? to_string(*at->second.meta) : "none";
        const size_t k = at->second.meta ? gets_gradient_of(i) : i;
        if (k != i) g.tied = leaves_[k].name;
        compare(g, at->second.meta, k, Witness::Eager);
        compare_values(g, at->second, once_[k]);
        if (once_[k]) compare_second(g, at->second, once_[k], grad(leaves_[k].tensor));
      }
      if (!compared) continue;
      const bool differs = check_.report.findings.size() > before;
      ++check_.compared;
      check_.mismatched += differs;
      check_.report.count_compared(g.recorded.empty() ? Witness::Kernel : Witness::Eager, 1, differs);
    }
  }

  /// Returns the leaf that gets the gradient of leaf i. It is i, or another leaf if the program uses one weight under
  /// two names.
  size_t gets_gradient_of(size_t i) const {
    for (size_t k = 0; k < leaves_.size() && !once_[i]; ++k) {
      const Tensor &a = leaves_[i].tensor, &b = leaves_[k].tensor;
      if (once_[k] && a.shares_storage(b) && diff(a.meta(), b.meta()).is_equal()) return k;
    }
    return i;
  }

  /// Compares the real gradient of leaf i with `other`: the prediction (witness Kernel) or the recorded gradient
  /// (witness Eager).
  void compare(const CheckedGradient& g, const std::optional<TensorMeta>& other, size_t i, Witness witness) {
    const bool there = static_cast<bool>(once_[i]);
    const auto words = [](bool is, const TensorMeta& m) { return is ? to_string(m) : std::string("no gradient"); };
    const TensorMeta none;
    const std::string ours = words(there, metas_[i]), theirs = words(other.has_value(), other ? *other : none);
    const bool predicts = witness == Witness::Kernel;
    const auto add_finding = [&](FindingField field) {
      add(g, field, predicts ? theirs : ours, predicts ? ours : theirs, witness, "significant");
    };
    if (there != other.has_value()) return add_finding(FindingField::RequiresGrad);
    if (!there) return;
    const MetaDiff d = diff(metas_[i], *other);
    if (d.is_significant()) add_finding(field_of(d.significant.first()));
  }

  void compare_second(const CheckedGradient& g, const RecordedRow& row, const Tensor& once, const Tensor& now) {
    if (!row.meta) return;
    const TensorMeta& meta = row.second ? *row.second : *row.meta;
    const MetaDiff d = diff(now.meta(), meta);
    if (d.is_significant()) {
      add(g, field_of(d.significant.first()), to_string(now.meta()), to_string(meta), Witness::Eager,
          "after a second backward run");
    }
    if (!row.doubled || !g.finite || random_) return;
    const Tensor twice = gradient_ops().add(once, once);
    const auto differs = ersatz::compare_values(now, twice, tolerance_of_gradient(twice));
    if (differs) {
      add(g, FindingField::Value, differs->actual, differs->expected, Witness::Eager,
          "after a second backward run: " + to_string(*differs));
    }
  }

  void compare_values(const CheckedGradient& g, const RecordedRow& row, const Tensor& once) {
    if (!once || !row.meta || row.count == 0 || row.meta->dtype != once.dtype() ||
        !check_eq(row.meta->sizes, once.sizes()))
      return;
    if (random_) return check_.report.skip_values(SkipReason::Random)++, void();
    const Tensor actual = first_elements(once, row.count);
    const Tensor expected{TensorMeta(actual.meta().dtype, actual.meta().sizes, kCPU),
                          Storage::allocate(static_cast<int64_t>(row.values.size()), kCPU)};
    write_values(row.values, expected);
    const auto differs = ersatz::compare_values(actual, expected, tolerance_of_gradient(expected));
    ++check_.report.values_compared;
    if (!differs) return;
    add(g, FindingField::Value, differs->actual, differs->expected, Witness::Eager, to_string(*differs));
  }

  void add(const CheckedGradient& g, FindingField field, std::string predicted, std::string observed, Witness witness,
           std::string verdict) {
    Finding f;
    f.node = "gradient of " + g.row.name;
    f.op = "backward";
    f.result = 0;
    f.field = field;
    f.predicted = std::move(predicted);
    f.observed = std::move(observed);
    f.witness = witness;
    f.verdict = std::move(verdict);
    f.source = g.row.source;
    check_.report.findings.push_back(std::move(f));
  }

  const ProgramInput& input_;
  CrosscheckRunOptions& run_;
  const BackwardCheckOptions& options_;
  RecordedRows recorded_;
  BackwardCheck check_;
  bool random_ = false;  // the program draws random numbers, so its values are not compared with those of another run
  std::vector<GradientLeaf> leaves_;
  std::vector<Tensor> once_;       // for each leaf: a copy of `.grad` after the first run
  std::vector<TensorMeta> metas_;  // metadata of `once_`
};

}  // namespace

BackwardCheck check_backward(const ProgramInput& input, CrosscheckRunOptions& run,
                             const BackwardCheckOptions& options) {
  return BackwardHandler(input, run, options).check();
}

}  // namespace ersatz::tools

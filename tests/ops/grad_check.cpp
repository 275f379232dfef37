#include "tests/ops/grad_check.h"

#include <cmath>
#include <regex>

#include "runtime/autograd/backward.h"
#include "runtime/autograd/derivative.h"
#include "runtime/autograd/grad_mode.h"
#include "tests/ops/grad_check_call.h"
#include "tests/ops/op_calls.h"

namespace ersatz::grad_check {

namespace {

using Numbers = std::vector<std::complex<double>>;

constexpr SampleLayout kLayouts[] = {SampleLayout::AsWritten, SampleLayout::Permuted,     SampleLayout::Expanded,
                                     SampleLayout::Sliced,    SampleLayout::ChannelsLast, SampleLayout::Offset};
constexpr SampleLayout kArriving[] = {SampleLayout::AsWritten, SampleLayout::Permuted, SampleLayout::Expanded};
constexpr double kStep = 1e-6;
constexpr double kTolerance = 1e-5;
constexpr int64_t kMostElements = 4096;

/// A sample's text with each floating point dtype replaced by `real`, and each complex one by c128.
std::string in_dtypes(std::string_view arguments, const char* real) {
  static const std::regex reals("\\b(f16|bf16|f32|f64)\\b"), complexes("\\b(c32|c64|c128)\\b");
  return std::regex_replace(std::regex_replace(std::string(arguments), complexes, "c128"), reals, real);
}

/// Re <a, b>
double inner(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (std::conj(a[i]) * b[i]).real();
  return sum;
}

struct Judge {
  const OpEntry& op;
  std::string text;
  Matrices matrices;
  uint64_t seed;
  bool at_kinks;  // all values are equal; comparing operators have no second gradient there
  Counts& counts;
  bool finite = true;

  void compare(double found, double expected, const std::string& what, int& counter) {
    if (!std::isfinite(found) && !std::isfinite(expected)) {
      finite = false;
      return;
    }
    ++counter;
    if (std::abs(found - expected) <= kTolerance * (1 + std::abs(expected))) return;
    counts.failures.push_back(
        fmt::format("{}({}) {}: {} along a direction, the difference is {}", op.name, text, what, found, expected));
  }
};

Tensor arriving(const Tensor& result, SampleLayout layout, uint64_t seed) {
  TensorMeta meta(result.dtype(), result.sizes(), contiguous_strides(result.sizes()), result.device());
  lay_out(meta, layout, false);
  const Tensor made = make_sample_tensor(meta);
  fill_random(made, -1, 1, seed);
  return made;
}

Numbers gradient_numbers(const Tensor& gradient, const Tensor& of) {
  return gradient ? elements(gradient) : Numbers(static_cast<size_t>(of.numel().guard_int()));
}

/// Gradients of a call at the point `at` for incoming gradients `w`, for each leaf; zeros if undefined.
std::vector<Numbers> first_gradients(const Call& call, const Tensors& at, const Tensors& w) {
  Tensors leaves, places = at;
  for (size_t place : call.leaves()) {
    places[place] = copied(at[place]);
    set_requires_grad(places[place]);
    leaves.push_back(places[place]);
  }
  const Tensors found = grad(call.chosen(call.run(places)), leaves, {.gradients = w, .allow_unused = true});
  std::vector<Numbers> numbers;
  for (size_t i = 0; i < found.size(); ++i) numbers.push_back(gradient_numbers(found[i], leaves[i]));
  return numbers;
}

void check_second(const Call& call, const Tensors& directions, Judge& judge, const char* layout) {
  Tensors leaves;
  const Tensors results = call.chosen(call.run(call.with_leaves(&leaves)));
  Tensors w;
  for (size_t i = 0; i < results.size(); ++i) {
    w.push_back(arriving(results[i], SampleLayout::AsWritten, judge.seed + 40 + i));
    set_requires_grad(w.back());
  }
  Tensors seconds, kept, v;
  std::vector<size_t> kept_of;
  Tensors inputs = leaves;
  inputs.insert(inputs.end(), w.begin(), w.end());
  Tensors firsts;
  try {
    firsts = grad(results, leaves, {.gradients = w, .create_graph = true, .allow_unused = true});
    for (size_t i = 0; i < firsts.size(); ++i) {
      if (!firsts[i]) continue;
      v.push_back(arriving(firsts[i], SampleLayout::AsWritten, judge.seed + 70 + i));
      kept_of.push_back(i);
    }
    Tensors of, weights;
    for (size_t k = 0; k < kept_of.size(); ++k) {
      if (!requires_grad(firsts[kept_of[k]])) continue;
      of.push_back(firsts[kept_of[k]]);
      weights.push_back(v[k]);
    }
    seconds = of.empty() ? Tensors(inputs.size()) : grad(of, inputs, {.gradients = weights, .allow_unused = true});
  } catch (const Error& e) {
    if (e.kind == ErrorKind::NotSupported || has_no_formula(e.message)) {
      ++judge.counts.second_missing;
      return;
    }
    throw;
  }
  Tensors plain;
  for (const Tensor& t : w) plain.push_back(copied(t));
  for (size_t n = 0; n < inputs.size(); ++n) {
    const bool is_leaf = n < leaves.size();
    const Tensor d = is_leaf ? directions[n] : random_like(plain[n - leaves.size()], judge.seed + 90 + n);
    double sides[2];
    for (int side = 0; side < 2; ++side) {
      const double h = side ? kStep : -kStep;
      Tensors at = call.places(), there = plain;
      if (is_leaf)
        at[call.leaves()[n]] = moved(at[call.leaves()[n]], d, h);
      else
        there[n - leaves.size()] = moved(plain[n - leaves.size()], d, h);
      const std::vector<Numbers> g = first_gradients(call, at, there);
      sides[side] = 0;
      for (size_t k = 0; k < kept_of.size(); ++k) sides[side] += inner(elements(v[k]), g[kept_of[k]]);
    }
    judge.compare(inner(gradient_numbers(seconds[n], inputs[n]), elements(d)), (sides[1] - sides[0]) / (2 * kStep),
                  fmt::format("{}, second gradient of {} {}", layout, is_leaf ? "leaf" : "what arrives",
                              is_leaf ? n : n - leaves.size()),
                  judge.counts.second);
  }
}

/// Compares the gradients of the call in this layout. Returns false if the call cannot be checked.
bool check_layout(Judge& judge, double low, double high, SampleLayout layout) {
  std::vector<Value> arguments;
  try {
    arguments = sample_arguments(judge.op, judge.text, low, high, {.layout = layout, .seed = judge.seed});
  } catch (const Error& e) {
    throw Refused{e.message};
  }
  const Call call(judge.op, std::move(arguments), judge.matrices);
  if (call.leaves().empty() || call.graded().empty()) return false;
  int64_t elements_in_all = 0;
  for (size_t place : call.leaves()) elements_in_all += call.value(place).numel().guard_int();
  if (elements_in_all > kMostElements) return false;

  Tensors leaves;
  const Tensors results = call.chosen(call.run(call.with_leaves(&leaves)));
  for (const Tensor& t : results) {
    if (!is_wide(t.dtype())) return false;
    elements_in_all += t.numel().guard_int();
  }
  if (elements_in_all > 4 * kMostElements) return false;
  ++judge.counts.calls;
  for (const Tensor& t : leaves) {
    if (is_complex(t.dtype())) {
      ++judge.counts.complex_calls;
      break;
    }
  }

  Tensors directions;
  std::vector<std::vector<Numbers>> slopes;  // for each leaf and result: the difference of each element
  {
    const NoGrad off;
    for (size_t n = 0; n < leaves.size(); ++n) {
      const Tensor& x = call.value(call.leaves()[n]);
      directions.push_back(prepared(random_like(x, judge.seed + 20 + n), judge.matrices, true));
      std::vector<Numbers> sides[2];
      for (int side = 0; side < 2; ++side) {
        Tensors at = call.places();
        for (Tensor& t : at) t = call_op<"aten.clone.default">(t, Value());
        for (size_t i = 0; i < at.size(); ++i) {
          if (is_wide(at[i].dtype())) at[i] = copied(call.value(i));
        }
        at[call.leaves()[n]] = moved(x, directions[n], side ? kStep : -kStep);
        for (const Tensor& t : call.chosen(call.run(at))) sides[side].push_back(elements(t));
      }
      for (size_t r = 0; r < sides[0].size(); ++r) {
        for (size_t i = 0; i < sides[0][r].size(); ++i)
          sides[1][r][i] = (sides[1][r][i] - sides[0][r][i]) / (2 * kStep);
      }
      slopes.push_back(std::move(sides[1]));
    }
  }

  for (size_t k = 0; k < std::size(kArriving); ++k) {
    Tensors w;
    for (size_t r = 0; r < results.size(); ++r) w.push_back(arriving(results[r], kArriving[k], judge.seed + 7 * k + r));
    const Tensors found =
        grad(results, leaves, {.gradients = w, .retain_graph = k + 1 < std::size(kArriving), .allow_unused = true});
    for (size_t n = 0; n < leaves.size(); ++n) {
      if (found[n] && (to_string(found[n].meta().sizes) != to_string(leaves[n].meta().sizes) ||
                       found[n].dtype() != leaves[n].dtype())) {
        judge.counts.failures.push_back(fmt::format("{}({}) {}: the gradient of {} is {}", judge.op.name, judge.text,
                                                    name(layout), to_string(leaves[n].meta()),
                                                    to_string(found[n].meta())));
        continue;
      }
      double expected = 0;
      for (size_t r = 0; r < results.size(); ++r) expected += inner(elements(w[r]), slopes[n][r]);
      judge.compare(inner(gradient_numbers(found[n], leaves[n]), elements(directions[n])), expected,
                    fmt::format("{}, {} gradient arrives, leaf {}", name(layout), name(kArriving[k]), n),
                    judge.counts.first);
    }
  }
  if (!judge.at_kinks && (layout == SampleLayout::AsWritten || layout == SampleLayout::Permuted))
    check_second(call, directions, judge, layout == SampleLayout::AsWritten ? "as_written" : "permuted");
  return true;
}

/// Tries seeds until all numbers are finite. The layout in the case's text is tried with three seeds, so that either
/// operand can be larger.
void check_text(const OpEntry& op, const std::string& text, const Case& c, Counts& counts) {
  for (SampleLayout layout : kLayouts) {
    const bool is_distinct = c.layouts != Layouts::All || c.matrices != Matrices::Any;
    if (layout == SampleLayout::Expanded && is_distinct) continue;
    if (layout != SampleLayout::AsWritten && c.layouts == Layouts::Written) continue;
    int left = layout == SampleLayout::AsWritten ? 3 : 1;
    for (uint64_t seed = 1; seed <= 5 && left > 0; ++seed) {
      Counts tried;
      Judge judge{op, text, c.matrices, seed, c.low == c.high, tried};
      try {
        if (!check_layout(judge, c.low, c.high, layout)) break;
      } catch (const Refused& e) {
        counts.refusal = fmt::format("{}({}) {}: {}", op.name, text, name(layout), e.message);
        break;
      } catch (const Error& e) {
        counts.failures.push_back(fmt::format("{}({}) {}: {}", op.name, text, name(layout), e.message));
        break;
      }
      if (!judge.finite && tried.failures.empty() && seed < 5) continue;
      if (tried.first) {
        counts.calls += tried.calls;
        counts.complex_calls += tried.complex_calls;
      }
      counts.first += tried.first;
      counts.second += tried.second;
      counts.second_missing += tried.second_missing;
      counts.failures.insert(counts.failures.end(), tried.failures.begin(), tried.failures.end());
      --left;
    }
  }
}

}  // namespace

std::vector<const OpEntry*> rows() {
  std::vector<const OpEntry*> found;
  for (const OpEntry* op : registry().all()) {
    if (op->tags.has(Tag::Foreign)) continue;
    const GradientVerdict v = derivative_of(*op).verdict;
    if (v == GradientVerdict::Row || v == GradientVerdict::Items) found.push_back(op);
  }
  return found;
}

Counts check(const OpEntry& op) {
  Counts counts;
  std::vector<Case> all;
  for (const Case& c : cases()) {
    if (c.op == op.name) all.push_back(c);
  }
  if (all.empty()) {
    for (const Sample& s : op.functional ? op.functional->samples : op.samples)
      all.push_back({op.name, s.arguments, s.low, s.high});
  }
  std::vector<std::string> seen;
  for (const Case& c : all) {
    if (c.arguments.find('~') != std::string_view::npos) continue;
    for (const char* real : {"f64", "c128"}) {
      const std::string text = in_dtypes(c.arguments, real);
      if (!c.complex && std::string_view(real) == "c128") continue;
      const std::string key = fmt::format("{} {} {}", text, c.low, c.high);
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
      check_text(op, text, c, counts);
      seen.push_back(key);
    }
  }
  return counts;
}

}  // namespace ersatz::grad_check

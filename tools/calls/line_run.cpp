#include "tools/calls/line_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "runtime/autograd/grad_mode.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"
#include "tools/calls/replay.h"
#include "tools/calls/symbolic_call.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {
namespace {

using LineVerdict = LineAnswer::Verdict;

/// The name of PyTorch's exception class for `f`, in the spelling of recorded calls.
std::string error_class(ErrorFamily f) {
  constexpr std::string_view classes[] = {"IndexError", "TypeError", "ValueError", "RuntimeError",
                                          "NotImplementedError"};
  return std::string(classes[static_cast<size_t>(f)]);
}

/// The outcome of running a line's call.
struct CameOfLine {
  CallRecord record;  ///< the line's call with the outcome of the run; has no values in fake mode
  std::optional<Error> error;
};

/// Makes the call of one line.
class LineCall {
 public:
  LineCall(const OpEntry& op, const CallRecord& record, bool fake) : op_(op), record_(record), fake_(fake) {}

  CameOfLine run() {
    CameOfLine came{record_, {}};
    Values results;
    try {
      if (fake_) {
        make_fakes();
      } else {
        tensors_ = make_recorded_tensors(record_);
      }
      std::vector<Value> args = bind_recorded(op_.schema, record_, tensors_);
      std::optional<FakeScope> scope;
      if (fake_) scope.emplace(mode_);
      dispatch(op_, args, results);
    } catch (const Error& e) {
      came.error = e;
      came.record.outcome.error = error_class(e.family);
      came.record.outcome.message = e.message;
      return came;
    }
    Values flat;
    flatten(results, flat);
    for (const Value& v : flat) came.record.outcome.results.push_back(result(v));
    for (size_t i = 0; i < tensors_.size(); ++i) {
      RecordedTensor now = recorded(tensors_[i]);
      now.is = -1;
      const RecordedTensor& before = record_.tensors[i];
      const bool same_values = fake_ || now.values == values_before(i);
      if (to_string(now.meta) != to_string(before.meta) || now.storage != before.storage || !same_values)
        came.record.outcome.after.emplace_back(static_cast<int>(i), std::move(now));
    }
    return came;
  }

 private:
  /// Returns the elements of tensor i before the call. Tensors are filled in order, so a later tensor of the line that
  /// shares memory with tensor i may have replaced some of its elements.
  std::vector<std::byte> values_before(size_t i) const {
    RecordedTensor before;
    keep_elements(make_recorded_tensors(record_)[i], before);
    return before.values;
  }

  void make_fakes() {
    std::unordered_map<int64_t, Ref<Storage>> storages;
    for (const RecordedTensor& t : record_.tensors) {
      if (t.is >= 0) {
        tensors_.push_back(tensors_[static_cast<size_t>(t.is)]);
        continue;
      }
      Ref<Storage>& storage = storages[t.storage];
      if (!storage) storage = Storage::make_fake(t.nbytes, t.meta.device);
      tensors_.push_back(mode_.make_on(storage, t.meta));
    }
  }

  RecordedResult result(const Value& v) {
    RecordedResult r;
    if (v.is_tensor()) {
      r.kind = RecordedResult::Kind::Tensor;
      r.tensor = recorded(v.tensor());
    } else if (!v.is_none()) {
      r.kind = RecordedResult::Kind::Number;
      r.number = v;
    }
    return r;
  }

  RecordedTensor recorded(const Tensor& t) {
    RecordedTensor r;
    r.meta = t.meta();
    r.storage = -1;
    for (size_t i = tensors_.size(); i-- > 0;) {
      if (tensors_[i].is(t)) r.is = static_cast<int>(i);
      if (tensors_[i].storage() == t.storage()) r.storage = record_.tensors[i].storage;
    }
    if (r.storage < 0) {
      const auto at = std::find(made_.begin(), made_.end(), t.storage().get());
      r.storage = static_cast<int64_t>(record_.tensors.size()) + (at - made_.begin());
      if (at == made_.end()) made_.push_back(t.storage().get());
    }
    if (!fake_ && !t.device().is_meta()) keep_elements(t, r);
    const SymInt bytes = t.storage()->nbytes();
    r.nbytes = bytes.is_int() ? bytes.as_int() : 0;
    return r;
  }

  const OpEntry& op_;
  const CallRecord& record_;
  const bool fake_;
  FakeMode mode_;
  std::vector<Tensor> tensors_;
  std::vector<const Storage*> made_;  // storages of results that no argument uses
};

bool is_about_data(const Error& e) {
  return e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape ||
         e.kind == ErrorKind::GuardOnDataDependent;
}

/// The allowed difference of an element of dtype `t`, relative to the larger of 1 and the expected element.
double line_tolerance(DType t) {
  switch (real_dtype(t)) {
    case DType::F64:
      return 1e-9;
    case DType::F32:
      return 1e-5;
    case DType::F16:
      return 2e-3;
    case DType::BF16:
      return 2e-2;
    default:
      return 0;
  }
}

bool is_near(double got, double expected, double relative) {
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  return got == expected || std::abs(got - expected) <= relative * std::max(std::abs(expected), 1.0);
}

/// Returns the index of the first element that differs by more than the tolerance; -1 if none does. REQUIRES: equal
/// dtypes and sizes.
int64_t first_other_element(const RecordedTensor& expected, const RecordedTensor& got, double relative) {
  int64_t at = -1;
  dispatch_dtype<kEveryDType>(expected.meta.dtype, [&]<class T>() {
    const size_t n = std::min(expected.values.size(), got.values.size()) / sizeof(T);
    for (size_t i = 0; i < n && at < 0; ++i) {
      T a, b;
      std::memcpy(&a, expected.values.data() + i * sizeof(T), sizeof(T));
      std::memcpy(&b, got.values.data() + i * sizeof(T), sizeof(T));
      if constexpr (std::is_integral_v<T>) {
        if (a != b) at = static_cast<int64_t>(i);
      } else {
        const std::complex<double> x = number_in(a), y = number_in(b);
        if (!is_near(y.real(), x.real(), relative) || !is_near(y.imag(), x.imag(), relative))
          at = static_cast<int64_t>(i);
      }
    }
  });
  return at;
}

/// Compares the outcome of a run with the line's expectation.
class LineComparison {
 public:
  LineComparison(const CallLine& line, const CameOfLine& came, bool fake) : line_(line), came_(came), fake_(fake) {}

  std::vector<LineDifference> differences() {
    if (line_.expects == CallLine::Expects::Error) {
      compare_error();
    } else if (came_.error) {
      differ("the call", "error", "results", came_.error->message);
    } else {
      compare_results();
      compare_arguments();
    }
    return std::move(found_);
  }

 private:
  void compare_error() {
    if (!came_.error) return differ("the call", "error", std::string(line_.expectation()), "results");
    const Error& e = *came_.error;
    if (!line_.label.empty() && e.label != line_.label)
      differ("the call", "error", line_.label,
             fmt::format("{}, {}", e.label.empty() ? "no label" : e.label, e.message));
    if (e.family != line_.family)
      differ("the call", "error", std::string(name(line_.family)), fmt::format("{}, {}", name(e.family), e.message));
    if (e.message.find(line_.words) == std::string::npos) differ("the call", "error", line_.words, e.message);
  }

  void compare_results() {
    const auto& got = came_.record.outcome.results;
    if (got.size() != line_.results.size()) {
      return differ("the call", "error", fmt::format("{} results", line_.results.size()),
                    fmt::format("{} results", got.size()));
    }
    for (size_t k = 0; k < got.size(); ++k) compare_leaf(fmt::format("result {}", k), line_.results[k], got[k]);
  }

  void compare_leaf(const std::string& about, const ExpectedLeaf& expected, const RecordedResult& got) {
    if (expected.leaf.kind != got.kind) return differ(about, "error", kind(expected.leaf), kind(got));
    if (got.kind == RecordedResult::Kind::Number) return compare_number(about, expected.leaf.number, got.number);
    if (got.kind != RecordedResult::Kind::Tensor) return;
    if (expected.argument != got.tensor.is) {
      const auto words = [](int is) { return is < 0 ? "a new tensor" : fmt::format("{}{} itself", kArgumentName, is); };
      // If the call gets one tensor object as two arguments, the expectation may name either argument.
      const bool same = expected.argument >= 0 && got.tensor.is >= 0 &&
                        came_.record.tensors[static_cast<size_t>(expected.argument)].is == got.tensor.is;
      if (!same) return differ(about, "alias", words(expected.argument), words(got.tensor.is));
    }
    if (expected.argument < 0) compare_storage(about, expected.leaf.tensor.storage, got.tensor.storage);
    compare_tensor(about, expected, got.tensor);
  }

  void compare_storage(const std::string& about, int64_t expected, int64_t got) {
    const auto& tensors = came_.record.tensors;
    const auto words = [&](int64_t storage) {
      for (size_t i = 0; i < tensors.size(); ++i)
        if (tensors[i].storage == storage) return fmt::format("on the storage of {}{}", kArgumentName, i);
      return std::string("on a storage of its own");
    };
    if (words(expected) != words(got)) differ(about, "alias", words(expected), words(got));
  }

  void compare_number(const std::string& about, const Value& expected, const Value& got) {
    if (fake_ && got.is_symbolic()) return;
    const bool floats = expected.kind() == Value::Kind::Float && got.kind() == Value::Kind::Float;
    const bool same = floats ? is_near(got.as_double(), expected.as_double(), line_.within.value_or(1e-9))
                             : to_string(expected) == to_string(got);
    if (!same) differ(about, "value", to_string(expected), to_string(got));
  }

  void compare_tensor(const std::string& about, const ExpectedLeaf& expected, const RecordedTensor& got) {
    const RecordedTensor& want = expected.leaf.tensor;
    const MetaDiff d = diff(want.meta, got.meta, kAllButRequiresGrad);
    for (const MetaField f : d.significant)
      differ(about, std::string(name(f)), field_text(want.meta, f), field_text(got.meta, f));
    if (d.is_significant() || fake_ || !want.has_values) return;
    const double relative = line_.within.value_or(line_tolerance(got.meta.dtype));
    const int64_t at = first_other_element(want, got, relative);
    if (at < 0) return;
    differ(about, "value", fmt::format("{} at element {}", element(want, at), at), element(got, at));
  }

  static std::string element(const RecordedTensor& t, int64_t at) {
    RecordedTensor one;
    one.meta = TensorMeta(t.meta.dtype, DimVec(1, SymInt(1)));
    const auto size = static_cast<size_t>(item_size(t.meta.dtype));
    const auto* begin = t.values.data() + static_cast<size_t>(at) * size;
    one.values.assign(begin, begin + size);
    return print_elements(one).substr(1);
  }

  /// Compares the arguments after the call. An argument that the line's expectation does not name must be unchanged.
  void compare_arguments() {
    const auto& tensors = came_.record.tensors;
    const auto named = [&](int i) {
      const auto is = [&](const ExpectedLeaf& e) {
        return e.argument == i || (e.argument >= 0 && tensors[static_cast<size_t>(e.argument)].is == i);
      };
      return std::any_of(line_.results.begin(), line_.results.end(), is) ||
             std::any_of(line_.after.begin(), line_.after.end(), is);
    };
    for (const ExpectedLeaf& e : line_.after) {
      const auto now = afterwards(e.argument);
      compare_tensor(fmt::format("{}{} afterwards", kArgumentName, e.argument), e, now);
    }
    for (const auto& [i, now] : came_.record.outcome.after) {
      const RecordedTensor& before = tensors[static_cast<size_t>(i)];
      if (before.is >= 0) continue;
      // An argument may have changed elements because another argument on its storage was written. If its metadata are
      // unchanged, the line need not mention it.
      const bool by_alias = to_string(before.meta) == to_string(now.meta) &&
                            std::any_of(tensors.begin(), tensors.end(), [&](const RecordedTensor& t) {
                              return &t != &before && t.storage == before.storage;
                            });
      if (named(i) || by_alias) continue;
      differ(fmt::format("{}{} afterwards", kArgumentName, i), "mutation", "as before",
             to_string(now.meta, MetaStyle::People) + (fake_ ? "" : " =" + print_elements(now).substr(0, 200)));
    }
  }

  RecordedTensor afterwards(int i) const {
    for (const auto& [k, now] : came_.record.outcome.after)
      if (k == i) return now;
    return came_.record.tensors[static_cast<size_t>(i)];
  }

  static std::string kind(const RecordedResult& r) {
    if (r.kind == RecordedResult::Kind::None) return "None";
    return r.kind == RecordedResult::Kind::Tensor ? to_string(r.tensor.meta, MetaStyle::People) : to_string(r.number);
  }

  void differ(std::string about, std::string field, std::string expected, std::string got) {
    found_.push_back({std::move(about), std::move(field), std::move(expected), std::move(got)});
  }

  const CallLine& line_;
  const CameOfLine& came_;
  const bool fake_;
  std::vector<LineDifference> found_;
};

LineAnswer skipped_line(std::string why) {
  LineAnswer answer;
  answer.verdict = LineVerdict::Skipped;
  answer.why = std::move(why);
  return answer;
}

/// Runs the line with CPU kernels or, if `fake`, with fake tensors. Compares the outcome with the line's expectation.
LineAnswer compared_line(const CallLine& line, const OpEntry& op, bool fake) {
  const CameOfLine came = LineCall(op, line.record, fake).run();
  LineAnswer answer;
  answer.bug = came.error && came.error->kind == ErrorKind::InternalError;
  if (came.error) {
    answer.got =
        fmt::format("!! {}{}{}", came.error->label, came.error->label.empty() ? "" : " ", name(came.error->family));
  } else {
    answer.got = print_outcome(op, came.record);
  }
  if (fake && came.error && is_about_data(*came.error) && line.expects != CallLine::Expects::Error)
    return skipped_line("the answer depends on data: " + came.error->message);
  if (fake && line.expects == CallLine::Expects::Error) {
    const CameOfLine real = LineCall(op, line.record, false).run();
    if (real.error && !came.error && real.error->value_failure)
      return skipped_line("values decide whether the call raises");
    if (real.error && came.error && is_about_data(*came.error) && !is_about_data(*real.error))
      return skipped_line("the answer depends on data: " + came.error->message);
    if (real.error && came.error && real.error->message != came.error->message)
      answer.differences.push_back({"the call", "error", real.error->message, came.error->message});
  }
  std::vector<LineDifference> found;
  if (line.expects != CallLine::Expects::Nothing) found = LineComparison(line, came, fake).differences();
  std::move(found.begin(), found.end(), std::back_inserter(answer.differences));
  answer.verdict = !answer.differences.empty()                  ? LineVerdict::Differs
                   : line.expects == CallLine::Expects::Nothing ? LineVerdict::ExpectsNothing
                                                                : LineVerdict::Agrees;
  return answer;
}

void add_line_finding(const Finding& f, LineAnswer& answer) {
  answer.verdict = LineVerdict::Differs;
  answer.differences.push_back({f.result < 0 ? "the call" : fmt::format("result {}", f.result),
                                std::string(name(f.field)), f.predicted, f.observed});
}

/// Removes the elements from `outcome` if the line's expectation gives none. It gives none for random and uninitialised
/// tensors, whose elements are not determined.
void drop_untold_elements(const CallLine& line, RecordedOutcome& outcome) {
  const auto has_elements = [](const ExpectedLeaf& e) { return e.leaf.tensor.has_values; };
  if (std::any_of(line.results.begin(), line.results.end(), has_elements) ||
      std::any_of(line.after.begin(), line.after.end(), has_elements))
    return;
  const auto drop = [](RecordedTensor& t) { t.has_values = false, t.values.clear(); };
  for (RecordedResult& r : outcome.results) drop(r.tensor);
  for (auto& [i, t] : outcome.after) drop(t);
}

/// Runs the call through the crosscheck engine, on the CPU or (`cuda`) on a GPU. Compares it with `real`, the CPU run.
LineAnswer crosschecked(const CameOfLine& real, const OpEntry& op, bool cuda) {
  RunOptions options;
  if (cuda) options.device = Device{DeviceType::CUDA, 0};
  Crosscheck engine(engine_options(options));
  const RecordAnswer judged = replay(engine, op, real.record, options);
  LineAnswer answer;
  answer.bug = judged.bug;
  if (judged.verdict == Verdict::Skipped) return skipped_line(judged.why);
  for (const Finding& f : judged.findings) add_line_finding(f, answer);
  return answer;
}

LineAnswer asked_with_symbols(const CameOfLine& real, const OpEntry& op) {
  LineAnswer answer;
  std::string undecided;
  int64_t compared = 0;
  for (const SymbolKind kind : {SymbolKind::Backed, SymbolKind::Unbacked}) {
    const SymbolicAnswer asked = ask_with_symbols(op, real.record, kind);
    compared += asked.counts.compared;
    if (asked.finding) add_line_finding(*asked.finding, answer);
    if (undecided.empty()) undecided = asked.undecided;
  }
  if (compared == 0 && answer.differences.empty())
    return skipped_line(undecided.empty() ? "nothing that a symbol decides" : undecided);
  return answer;
}

}  // namespace

std::string_view name(LineMode m) {
  constexpr std::string_view names[] = {"cpu", "fake", "crosscheck", "symbols", "cuda"};
  return names[static_cast<size_t>(m)];
}

LineAnswer run_line(const CallLine& line, LineMode mode) {
  const WithoutAutograd ungraded;
  const AllocationLimit limit(kMostCallBytes);
  const OpEntry& op = op_named(line.record.op);
  const auto elsewhere = [](const RecordedTensor& t) { return !t.meta.device.is_cpu(); };
  const bool on_cpu = std::none_of(line.record.tensors.begin(), line.record.tensors.end(), elsewhere);
  if (mode == LineMode::Fake) return compared_line(line, op, true);
  if (!on_cpu) return skipped_line("tensors of another device are run fake only");
  if (mode == LineMode::Cpu) return compared_line(line, op, false);
  CameOfLine real = LineCall(op, line.record, false).run();
  drop_untold_elements(line, real.record.outcome);
  real.record.random = op.tags.has(Tag::Random);
  if (mode != LineMode::Symbols) return crosschecked(real, op, mode == LineMode::Cuda);
  if (real.error && real.error->value_failure) return skipped_line("values decide whether the call raises");
  return asked_with_symbols(real, op);
}

std::optional<CallRecord> expected_record(const CallLine& line) {
  if (line.expects == CallLine::Expects::Nothing) return std::nullopt;
  CallRecord record = line.record;
  RecordedOutcome& outcome = record.outcome;
  if (line.expects == CallLine::Expects::Error) {
    outcome.error = error_class(line.family);
    return record;
  }
  int64_t next = static_cast<int64_t>(record.tensors.size());
  const auto add = [&](RecordedTensor t) {
    if (t.storage < 0) t.storage = next++, t.nbytes = 0;
    t.nbytes = std::max(t.nbytes, storage_bytes_needed(t.meta).as_int());
    return t;
  };
  for (const ExpectedLeaf& e : line.results) {
    RecordedResult r = e.leaf;
    r.tensor.is = e.argument;
    if (r.kind == RecordedResult::Kind::Tensor) r.tensor = add(std::move(r.tensor));
    outcome.results.push_back(std::move(r));
    if (e.argument >= 0) outcome.after.emplace_back(e.argument, add(e.leaf.tensor));
  }
  for (const ExpectedLeaf& e : line.after) outcome.after.emplace_back(e.argument, add(e.leaf.tensor));
  return record;
}

}  // namespace ersatz::tools

#include "tools/infer/alias_cause.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/infer/advice.h"

namespace ersatz::tools {

namespace {

/// Describes the memory of result k: `memory of x`, `x itself`, `the memory of result 1` or `memory of its own`.
std::string whose(const CallRecord& record, const RecordedOutcome& outcome, size_t k) {
  const ResultMemory m = memory_of(record, outcome, k);
  const RecordedSchema schema(record);
  if (m.is >= 0) return schema.name(static_cast<size_t>(m.is)) + " itself";
  if (m.argument >= 0) return "memory of " + schema.name(static_cast<size_t>(m.argument));
  if (m.earlier >= 0) return fmt::format("the memory of result {}", m.earlier);
  return "memory of its own";
}

bool writes(const CallRecord& record, int argument) {
  return std::any_of(record.outcome.after.begin(), record.outcome.after.end(),
                     [&](const auto& a) { return a.first == argument; });
}

}  // namespace

ResultMemory memory_of(const CallRecord& record, const RecordedOutcome& outcome, size_t k) {
  ResultMemory m;
  const RecordedTensor& t = outcome.results[k].tensor;
  m.is = t.is;
  for (size_t i = record.tensors.size(); i-- > 0;) {
    if (record.tensors[i].storage == t.storage) m.argument = static_cast<int>(i);
  }
  for (size_t i = k; i-- > 0;) {
    const RecordedResult& r = outcome.results[i];
    if (r.kind == RecordedResult::Kind::Tensor && r.tensor.storage == t.storage) m.earlier = static_cast<int>(i);
  }
  return m;
}

std::string memory_words(const ResultMemory& m) {
  if (m.is >= 0) return fmt::format("is argument {}", m.is);
  if (m.argument >= 0) return fmt::format("shares storage with argument {}", m.argument);
  if (m.earlier >= 0) return fmt::format("shares storage with result {}", m.earlier);
  return "has storage of its own";
}

std::string alias_cause(std::span<const CallRecord* const> differing, std::span<const CallRecord* const> known,
                        size_t k) {
  const CallRecord& first = *differing[0];
  const RecordedSchema schema(first);
  const ResultMemory kernels = memory_of(first, first.outcome, k);
  const std::string mine = whose(first, first.prediction(), k), theirs = whose(first, first.outcome, k);
  const auto as_here = [&](const CallRecord* r) {
    return k < r->outcome.results.size() && whose(*r, r->outcome, k) == theirs;
  };
  const bool always = std::all_of(known.begin(), known.end(), as_here);
  const std::string when = always ? ""
                           : std::all_of(differing.begin(), differing.end(), as_here)
                               ? " in the calls that differ, in others not"
                               : " in the first call that differs";
  const bool says_so = schema.may_alias(k);
  if (kernels.argument >= 0) {
    const std::string x = schema.name(static_cast<size_t>(kernels.argument));
    if (says_so) {
      return fmt::format("the kernel's result is {}{}, as the schema says it may be; the prediction's is {}", theirs,
                         when, mine);
    }
    const bool written = std::all_of(differing.begin(), differing.end(), [&](const CallRecord* r) {
      const int at = memory_of(*r, r->outcome, k).argument;
      const bool is_empty = at >= 0 && r->tensors[static_cast<size_t>(at)].meta.numel().as_int() == 0;
      return is_empty || writes(*r, at);
    });
    const std::string does = written ? fmt::format("writes {} and returns {}", x, theirs) : "returns " + theirs;
    const std::string a = written ? "a!" : "a";
    return with_sentence(
        fmt::format("the kernel {0}{1}, and the schema does not say so, as Tensor({2}) {3} -> Tensor({2}) does", does,
                    when, a, x),
        fmt::format("Let the kernel {} a copy, {}.clone()", written ? "write and return" : "return", x));
  }
  if (kernels.earlier >= 0) {
    return with_sentence(
        fmt::format("results {0} and {1} of the kernel are one memory{2}, which a schema cannot say of two "
                    "results; the prediction's result {1} is {3}",
                    kernels.earlier, k, when, mine),
        fmt::format("Let the kernel return a copy of result {}, made by clone()", kernels.earlier));
  }
  return with_better_result(
      fmt::format("the kernel's result is memory of its own{}, the prediction's is {}", when, mine), "out.clone()");
}

}  // namespace ersatz::tools

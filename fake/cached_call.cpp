// The dispatch cache's step of a fake call: look up, or answer and remember.
#include "fake/fake_mode.h"
#include "runtime/op/dispatch.h"

namespace ersatz {
namespace {

/// Why no answer of the op is remembered; empty where it may be.
std::string_view bypass_of(const OpEntry& op, const FakeOptions& options) {
  if (op.tags.has(Tag::ScalarRead)) return "data dependent output";
  if (op.tags.has(Tag::DataDependent)) return "dynamic output shape";
  if (op.tags.has(Tag::InplaceView)) return "inplace view";
  if (op.tags.has(Tag::Lift)) return "lift";
  if (op.composite) return "CompositeImplicitAutograd";
  if (op.tags.has(Tag::Foreign) && !op.costly_rule) return "non-builtin";
  if (op.rule) return {};
  if (op.schema.returns.empty()) return op.name;
  if (op.tags.has(Tag::Random) || op.tags.has(Tag::Nondeterministic)) return "random kernel";
  if (options.fill.value_or(op.fill) == Fill::Sample) return "sample fill";
  return {};
}

/// `func=aten.add.Tensor, args=(f32[2]{1}+0@cpu, 1), kwargs={alpha: 2}`
std::string spell_call(const OpEntry& op, std::span<const Value> args) {
  std::string positional, keywords;
  for (size_t i = 0; i < args.size(); ++i) {
    const Argument& a = op.schema.arguments[i];
    std::string& to = a.keyword_only ? keywords : positional;
    if (!to.empty()) to += ", ";
    to += (a.keyword_only ? a.name + ": " : "") + to_string(args[i]);
  }
  return fmt::format("func={}, args=({}), kwargs={{{}}}", op.name, positional, keywords);
}

[[noreturn]] void raise_crosscheck_failure(const OpEntry& op, std::span<const Value> args, const CachedAnswer& answer,
                                           const std::string& now) {
  Error e(ErrorKind::MetadataMismatch, ErrorFamily::Runtime,
          fmt::format("{}: FakeTensor cache crosscheck failure: {}: remembered {}, {}", op.base(), spell_call(op, args),
                      answer.text(), now));
  e.op = op.base();
  describe_error(e, args);
  throw e;
}

/// Does `again` differ from what is remembered?
void crosscheck(const OpEntry& op, std::span<const Value> args, const CachedAnswer& answer,
                const Ref<const CachedAnswer>& again, std::string_view reason) {
  if (!again) raise_crosscheck_failure(op, args, answer, fmt::format("now not to be remembered ({})", reason));
  if (!(*again == answer)) raise_crosscheck_failure(op, args, answer, "now " + again->text());
}

}  // namespace

void FakeModeState::note_bypass(const OpEntry& op, std::string_view reason) {
  if (!keeps_answers(op)) return;
  const std::string_view by_op = bypass_of(op, options);
  cache.note_bypass(by_op.empty() ? reason : by_op);
}

void FakeModeState::call_cached(const OpEntry& op, std::span<const Value> args, Values& results) {
  CacheKey key;
  std::string_view reason = bypass_of(op, options);
  if (reason.empty()) reason = key.make(op, args, rule_context(), options);
  if (!reason.empty()) {
    cache.note_bypass(reason);
    return call_uncached(op, args, results);
  }
  if (const Ref<const CachedAnswer> answer = cache.find(key)) return answer_again(op, args, *answer, results);

  Ref<const CachedAnswer> answer;
  if (op.rule) {
    RuleResult rule;
    run_rule(op, args, rule);
    answer = CachedAnswer::of_rule(args, rule, reason);
    finish_by_rule(op, args, rule, results, /*values_known=*/false);
  } else {
    const ArgumentsBefore before(args);
    const size_t first = results.size();
    call_without_rule(op, args, results);
    answer = CachedAnswer::of_results(before, std::span<const Value>(results).subspan(first), reason);
  }
  if (answer) {
    cache.insert(op, key, std::move(answer));
  } else {
    cache.note_bypass(reason);
  }
}

void FakeModeState::answer_again(const OpEntry& op, std::span<const Value> args, const CachedAnswer& answer,
                                 Values& results) {
  detail::t_answered_by = Source::Cache;
  std::string_view reason;
  if (answer.from_rule()) {
    if (options.cache_crosscheck) {
      RuleResult now;
      try {
        run_rule(op, args, now);
      } catch (const Error& e) {
        raise_crosscheck_failure(op, args, answer, "Dispatch raised=" + e.message);
      }
      crosscheck(op, args, answer, CachedAnswer::of_rule(args, now, reason), reason);
    }
    RuleResult rule;
    answer.say(args, rule);
    return finish_by_rule(op, args, rule, results, /*values_known=*/false);
  }
  if (!options.cache_crosscheck) return answer.make_results(*this, args, results);
  // The kernel's second run is the answer, so that the call still happens once.
  const ArgumentsBefore before(args);
  const size_t first = results.size();
  try {
    call_without_rule(op, args, results);
  } catch (const Error& e) {
    raise_crosscheck_failure(op, args, answer, "Dispatch raised=" + e.message);
  }
  crosscheck(op, args, answer, CachedAnswer::of_results(before, std::span<const Value>(results).subspan(first), reason),
             reason);
}

}  // namespace ersatz

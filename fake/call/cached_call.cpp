// The dispatch cache's step of a fake call: look up, or answer and remember.
#include "fake/mode/fake_mode.h"
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

void FakeModeState::answer_cached(const OpEntry& op, std::span<const Value> args, Answer& answer) {
  CacheKey key;
  std::string_view reason = bypass_of(op, options);
  if (reason.empty()) reason = key.make(op, args, rule_context(), options);
  if (!reason.empty()) {
    cache.note_bypass(reason);
    return answer_afresh(op, args, answer);
  }
  if (const Ref<const CachedAnswer> known = cache.find(key)) return answer_again(op, args, *known, answer);

  Ref<const CachedAnswer> kept;
  if (op.rule) {
    ask_rule(op, args, answer);
    kept = CachedAnswer::of_rule(args, answer.rule, reason);
    finish_by_rule(op, args, answer, /*values_known=*/false);
  } else {
    const ArgumentsBefore before(args);
    answer_without_rule(op, args, answer);
    kept = CachedAnswer::of_results(before, answer.results, reason);
  }
  if (kept) {
    cache.insert(op, key, std::move(kept));
  } else {
    cache.note_bypass(reason);
  }
}

void FakeModeState::answer_again(const OpEntry& op, std::span<const Value> args, const CachedAnswer& known,
                                 Answer& answer) {
  answer.source = Source::Cache;
  std::string_view reason;
  if (known.from_rule()) {
    if (options.cache_crosscheck) {
      try {
        ask_rule(op, args, answer);
      } catch (const Error& e) {
        raise_crosscheck_failure(op, args, known, "Dispatch raised=" + e.message);
      }
      crosscheck(op, args, known, CachedAnswer::of_rule(args, answer.rule, reason), reason);
      answer.rule = RuleResult();
    }
    known.say(args, answer.rule);
    return finish_by_rule(op, args, answer, /*values_known=*/false);
  }
  if (!options.cache_crosscheck) return known.make_results(*this, args, answer.results);
  // The kernel's second run is the answer, so that the call still happens once.
  const ArgumentsBefore before(args);
  try {
    answer_without_rule(op, args, answer);
  } catch (const Error& e) {
    raise_crosscheck_failure(op, args, known, "Dispatch raised=" + e.message);
  }
  crosscheck(op, args, known, CachedAnswer::of_results(before, answer.results, reason), reason);
}

}  // namespace ersatz

// The step of a FakeCall that uses the dispatch cache: finds a cached answer, or runs the op and caches its answer.
#include "fake/mode/dispatch_cache.h"
#include "fake/mode/fake_call.h"
#include "runtime/op/dispatch.h"

namespace ersatz {
namespace {

/// Returns the reason why answers of the op are not cached; empty if they may be cached.
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

/// Returns `func=aten.add.Tensor, args=(f32[2]{1}+0@cpu, 1), kwargs={alpha: 2}`.
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

/// Raises MetadataMismatch if `again`, the new answer, differs from the cached answer, or is null because of `reason`.
void crosscheck(const OpEntry& op, std::span<const Value> args, const CachedAnswer& answer,
                const Ref<const CachedAnswer>& again, std::string_view reason) {
  if (!again) raise_crosscheck_failure(op, args, answer, fmt::format("now not to be remembered ({})", reason));
  if (!(*again == answer)) raise_crosscheck_failure(op, args, answer, "now " + again->text());
}

}  // namespace

void FakeCall::note_bypass(std::string_view reason) {
  if (!mode_.keeps_answers(op_)) return;
  const std::string_view by_op = bypass_of(op_, mode_.options);
  mode_.cache.note_bypass(by_op.empty() ? reason : by_op);
}

void FakeCall::use_cache() {
  CacheKey key;
  std::string_view reason = bypass_of(op_, mode_.options);
  if (reason.empty()) reason = key.make(op_, args_, rule_context(), mode_.options);
  if (!reason.empty()) {
    mode_.cache.note_bypass(reason);
    return run_rule_or_fallback();
  }
  if (const Ref<const CachedAnswer> known = mode_.cache.find(key)) return replay_cached(*known);

  Ref<const CachedAnswer> kept;
  if (op_.rule) {
    ask_rule();
    kept = CachedAnswer::of_rule(args_, answer_.rule, reason);
    build_results(/*values_known=*/false);
  } else {
    const ArgumentsBefore before(args_);
    run_rule_or_fallback();
    kept = CachedAnswer::of_results(before, answer_.results, reason);
  }
  if (kept) {
    mode_.cache.insert(op_, key, std::move(kept));
  } else {
    mode_.cache.note_bypass(reason);
  }
}

void FakeCall::replay_cached(const CachedAnswer& known) {
  answer_.source = Source::Cache;
  std::string_view reason;
  if (known.from_rule()) {
    if (mode_.options.cache_crosscheck) {
      try {
        ask_rule();
      } catch (const Error& e) {
        raise_crosscheck_failure(op_, args_, known, "Dispatch raised=" + e.message);
      }
      crosscheck(op_, args_, known, CachedAnswer::of_rule(args_, answer_.rule, reason), reason);
      answer_.rule = RuleResult();
    }
    known.say(args_, answer_.rule);
    return build_results(/*values_known=*/false);
  }
  if (!mode_.options.cache_crosscheck) return known.make_results(mode_, args_, answer_.results);
  // The call returns the results of this run, not new ones from the cache, so the op's effects happen only once.
  const ArgumentsBefore before(args_);
  try {
    run_rule_or_fallback();
  } catch (const Error& e) {
    raise_crosscheck_failure(op_, args_, known, "Dispatch raised=" + e.message);
  }
  crosscheck(op_, args_, known, CachedAnswer::of_results(before, answer_.results, reason), reason);
}

}  // namespace ersatz

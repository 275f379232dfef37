// Compares the relations between results and arguments: shared storage, writes, changed arguments.
#include <algorithm>

#include "fake/crosscheck/judge.h"
#include "fake/outcome/compare.h"
#include "runtime/op/argument_tag.h"
#include "runtime/op/keeps_version_tag.h"

namespace ersatz {
namespace {

/// Makes one check of sharing. If the fake and the real run differ, adds a finding, or notes that the check is switched
/// off, and returns true.
bool judge_alias_check(const CallCase& c, Judgement& j, size_t k, bool wanted, const char* check, bool fake,
                       bool real) {
  if (fake == real) return false;
  if (!wanted) {
    j.report.coverage.unchecked(c.op, Check::Aliases, NotChecked::SwitchedOff);
    return true;
  }
  j.add(static_cast<int>(k), FindingField::Alias,
        to_string(c.predicted.places[k], c.arguments.size(), *c.predicted.flat[k].tensor_impl()),
        to_string(c.observed.places[k], c.arguments.size(), *c.observed.flat[k].tensor_impl()), Witness::Kernel,
        "significant", fmt::format("mismatch in {} check: {} and {}", check, fake, real));
  return true;
}

void judge_alias(const CallCase& c, Judgement& j, size_t k) {
  const AliasPlace &f = c.predicted.places[k], &r = c.observed.places[k];
  if (f == r && f.same_bytes(r)) [[likely]]
    return;
  const CrosscheckOptions& o = c.options;
  const int n = static_cast<int>(c.arguments.size());
  const auto argument = [&](int number) { return number >= 0 && number < n; };
  if (judge_alias_check(c, j, k, o.outputs_are_inputs, "outputs_are_inputs", argument(f.same_object),
                        argument(r.same_object)) ||
      judge_alias_check(c, j, k, o.outputs_alias_inputs, "outputs_alias_inputs", argument(f.same_storage),
                        argument(r.same_storage)) ||
      judge_alias_check(c, j, k, o.outputs_alias_each_other, "outputs_alias_each_other", f.same_storage >= n,
                        r.same_storage >= n)) {
    return;
  }
  const auto same_tensor = [&](int a, int b) {
    if (a == b) return true;
    // If two arguments use the same bytes, the fake run may name one of them and the real run the other.
    return argument(a) && argument(b) &&
           share_bytes(*c.arguments[static_cast<size_t>(a)].real->storage,
                       *c.arguments[static_cast<size_t>(b)].real->storage);
  };
  const bool same_who = same_tensor(f.same_storage, r.same_storage) &&
                        (f.same_object == r.same_object || argument(f.same_object) != argument(r.same_object));
  // A result whose metadata differ already has a finding. If its byte range differs too, that is no second finding.
  const bool same_bytes = f.same_bytes(r) || f.same_storage != r.same_storage || j.states[k].mismatched;
  if (same_who && same_bytes) return;
  const bool to_input = argument(r.same_storage);
  if (!(to_input ? o.outputs_alias_inputs : o.outputs_alias_each_other)) return;
  const std::string mine = to_string(f, c.arguments.size(), *c.predicted.flat[k].tensor_impl());
  const std::string real = to_string(r, c.arguments.size(), *c.observed.flat[k].tensor_impl());
  j.add(static_cast<int>(k), FindingField::Alias, mine, real, Witness::Kernel, "significant",
        fmt::format("mismatch in {} check: an output {}, and {}",
                    to_input ? "outputs_alias_inputs" : "outputs_alias_each_other", mine, real));
}

void judge_alias_facts(const CallCase& c, Judgement& j) {
  const size_t n = c.arguments.size();
  const auto storage_of = [&](int argument) {
    const CallCase::Argument& a = c.arguments[static_cast<size_t>(argument)];
    return (c.has_real() ? a.real : a.fake)->storage.get();
  };
  for (size_t k = 0; k < std::min(c.all_facts().size(), c.places().size()); ++k) {
    const AliasFact& fact = c.facts(k).alias;
    if (fact.kind == AliasFact::Kind::Unknown || !c.flat()[k].is_tensor()) continue;
    const AliasPlace& place = c.places()[k];
    const int shared = place.same_storage;
    const bool shares = shared >= 0 && static_cast<size_t>(shared) < n;
    const auto mine = [&] { return to_string(place, n, *c.flat()[k].tensor_impl()); };
    if (fact.kind == AliasFact::Kind::Own && shares) {
      j.add(static_cast<int>(k), FindingField::Alias, mine(), "has its own storage", c.evidence.witness());
    } else if (fact.kind == AliasFact::Kind::Argument && fact.argument >= 0 && static_cast<size_t>(fact.argument) < n) {
      // Several arguments may be on one storage, and the recorded AliasFact may name any of them.
      if (shares && storage_of(shared) == storage_of(fact.argument)) continue;
      j.add(static_cast<int>(k), FindingField::Alias, mine(),
            fmt::format("shares the storage of argument {}", fact.argument), c.evidence.witness());
    }
  }
}

void judge_declared_aliases(const CallCase& c, Judgement& j) {
  if (c.op.composite) return;  // the ops that its body calls are compared instead
  for (size_t k = 0; k < std::min(c.op.schema.returns.size(), c.places().size()); ++k) {
    const Argument& declared = c.op.schema.returns[k];
    if (declared.type.is_list())
      return;  // a list has an unknown length, so later results do not match the schema's returns by index
    if (!c.flat()[k].is_tensor() || j.states[k].mismatched) continue;
    const AliasPlace& place = c.places()[k];
    const bool shares = place.same_storage >= 0 && static_cast<size_t>(place.same_storage) < c.arguments.size();
    const char* expected = nullptr;
    // ATen's schemas do not declare all views. A tag of the op, or sharing in a real run, shows that a view is right.
    const bool run_shared = c.facts(k).alias.kind == AliasFact::Kind::Argument;
    const bool known_view = c.op.tags.has(Tag::View) || run_shared || c.op.tags.has(kMayReturnArgument);
    if (!declared.alias && shares && !known_view) expected = "has its own storage (the schema declares no alias)";
    if (declared.is_write() && place.same_object < 0 && !(run_shared && shares))
      expected = "is the written argument (the schema declares it)";
    if (declared.alias && c.op.tags.has(Tag::View) && !shares) expected = "is a view of an argument (the op's tag)";
    if (!expected) continue;
    j.add(static_cast<int>(k), FindingField::Alias, expected,
          to_string(place, c.arguments.size(), *c.flat()[k].tensor_impl()), Witness::Declaration);
  }
}

void judge_declared_writes(const CallCase& c, Judgement& j) {
  if (c.op.composite || !c.op.schema.is_mutable() || c.op.tags.has(kKeepsVersion)) return;
  size_t i = 0;
  for (size_t a = 0; a < c.op.schema.arguments.size(); ++a) {
    for_each_tensor(c.real_args.subspan(a, 1), [&](const TensorImpl*) {
      const CallCase::Argument& state = c.arguments[i];
      const bool moved = state.real->storage->version() != state.real_version;
      if (c.op.schema.arguments[a].is_write() && !moved) {
        j.add(-1, FindingField::Mutation, fmt::format("argument {} is written: its version moves", i),
              "its version did not move", Witness::Declaration, "a declared write did not move the version");
      }
      ++i;
    });
  }
}

}  // namespace

void judge_aliases(const CallCase& c, Judgement& j) {
  if (c.has_real() && !c.predicted.error) {
    for (size_t k = 0; k < std::min(c.predicted.places.size(), c.observed.places.size()); ++k) {
      if (c.observed.flat[k].is_tensor() && c.predicted.flat[k].is_tensor()) judge_alias(c, j, k);
    }
  }
  judge_alias_facts(c, j);
  judge_declared_aliases(c, j);
}

void judge_arguments(const CallCase& c, Judgement& j) {
  judge_declared_writes(c, j);
  if (c.predicted.error) return;
  for (size_t i = 0; i < c.arguments.size(); ++i) {
    const CallCase::Argument& a = c.arguments[i];
    const bool fake_moved = a.fake->storage->version() != a.fake_version;
    const bool real_moved = a.real->storage->version() != a.real_version;
    if (fake_moved != real_moved) {
      const auto words = [&](bool moved) { return fmt::format("argument {} {}", i, moved ? "is written" : "is not"); };
      j.add(-1, FindingField::Mutation, words(fake_moved), words(real_moved), Witness::Kernel);
    }
    const bool fake_left = a.fake->storage.get() != a.fake_storage;
    const bool real_left = a.real->storage.get() != a.real_storage;
    if (fake_left != real_left) {
      const auto words = [&](bool left) {
        return fmt::format("argument {} {}", i, left ? "is given another storage" : "keeps its storage");
      };
      j.add(-1, FindingField::Mutation, words(fake_left), words(real_left), Witness::Kernel);
    }
    const bool changed = c.observed.metas.empty()
                             ? !(a.real->meta == a.fake->meta)
                             : !(a.real->meta == c.observed.metas[i]) ||
                                   (!c.predicted.metas.empty() && !(a.fake->meta == c.predicted.metas[i]));
    if (!changed) continue;
    const CompareOptions options{.fields = kAllButRequiresGrad};
    if (compare(leaf_of(a.fake->meta), leaf_of(a.real->meta), options).is_significant()) {
      j.add(-1, FindingField::Mutation, fmt::format("argument {} becomes {}", i, to_string(a.fake->meta)),
            fmt::format("it becomes {}", to_string(a.real->meta)), Witness::Kernel);
    }
  }
}

}  // namespace ersatz

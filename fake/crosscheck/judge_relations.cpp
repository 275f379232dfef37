// How the results and arguments of a checked call hang together: sharing of storage, writes, changed arguments.
#include <algorithm>

#include "fake/crosscheck/checked_call.h"

namespace ersatz {

void CheckedCall::map_aliases() {
  if (has_real()) real_places_ = alias_map(real_tensors_, real_flat_);
  if (!fake_error_) fake_places_ = alias_map(fake_tensors_, fake_flat_);
}

void CheckedCall::judge_aliases() {
  if (has_real() && !fake_error_) {
    for (size_t k = 0; k < std::min(fake_places_.size(), real_places_.size()); ++k) {
      if (real_flat_[k].is_tensor() && fake_flat_[k].is_tensor()) judge_alias(k);
    }
  }
  judge_alias_facts();
  judge_declared_aliases();
}

void CheckedCall::judge_alias(size_t k) {
  const AliasPlace &f = fake_places_[k], &r = real_places_[k];
  if (f == r && f.same_bytes(r)) [[likely]]
    return;
  const CrosscheckOptions& o = check_.options_;
  const int n = static_cast<int>(arguments_.size());
  const auto argument = [&](int number) { return number >= 0 && number < n; };
  if (judge_alias_check(k, o.outputs_are_inputs, "outputs_are_inputs", argument(f.same_object),
                        argument(r.same_object)) ||
      judge_alias_check(k, o.outputs_alias_inputs, "outputs_alias_inputs", argument(f.same_storage),
                        argument(r.same_storage)) ||
      judge_alias_check(k, o.outputs_alias_each_other, "outputs_alias_each_other", f.same_storage >= n,
                        r.same_storage >= n)) {
    return;
  }
  const auto same_tensor = [&](int a, int b) {
    if (a == b) return true;
    // Two arguments may hold the same bytes: either names the place.
    return argument(a) && argument(b) &&
           share_bytes(*arguments_[static_cast<size_t>(a)].real->storage,
                       *arguments_[static_cast<size_t>(b)].real->storage);
  };
  const bool same_who = same_tensor(f.same_storage, r.same_storage) &&
                        (f.same_object == r.same_object || argument(f.same_object) != argument(r.same_object));
  // Other sizes, strides or offsets have been found as what they are; other bytes under the same metadata have not.
  const bool same_bytes = f.same_bytes(r) || f.same_storage != r.same_storage || states_[k].mismatched;
  if (same_who && same_bytes) return;
  const bool to_input = argument(r.same_storage);
  if (!(to_input ? o.outputs_alias_inputs : o.outputs_alias_each_other)) return;
  const std::string mine = to_string(f, arguments_.size(), *fake_flat_[k].tensor_impl());
  const std::string real = to_string(r, arguments_.size(), *real_flat_[k].tensor_impl());
  add_finding(static_cast<int>(k), FindingField::Alias, mine, real, Witness::Kernel, "significant",
              fmt::format("mismatch in {} check: an output {}, and {}",
                          to_input ? "outputs_alias_inputs" : "outputs_alias_each_other", mine, real));
}

/// True: the two differ, and there is nothing more to say.
bool CheckedCall::judge_alias_check(size_t k, bool wanted, const char* check, bool fake, bool real) {
  if (fake == real) return false;
  if (!wanted) {
    check_.report_.coverage.unchecked(op_, Check::Aliases, NotChecked::SwitchedOff);
    return true;
  }
  add_finding(static_cast<int>(k), FindingField::Alias,
              to_string(fake_places_[k], arguments_.size(), *fake_flat_[k].tensor_impl()),
              to_string(real_places_[k], arguments_.size(), *real_flat_[k].tensor_impl()), Witness::Kernel,
              "significant", fmt::format("mismatch in {} check: {} and {}", check, fake, real));
  return true;
}

void CheckedCall::judge_alias_facts() {
  const size_t n = arguments_.size();
  const auto storage_of = [&](int argument) {
    const ArgumentState& a = arguments_[static_cast<size_t>(argument)];
    return (has_real() ? a.real : a.fake)->storage.get();
  };
  for (size_t k = 0; k < std::min(all_facts().size(), places().size()); ++k) {
    const AliasFact& fact = facts(k).alias;
    if (fact.kind == AliasFact::Kind::Unknown || !flat()[k].is_tensor()) continue;
    const AliasPlace& place = places()[k];
    const int shared = place.same_storage;
    const bool shares = shared >= 0 && static_cast<size_t>(shared) < n;
    const auto mine = [&] { return to_string(place, n, *flat()[k].tensor_impl()); };
    if (fact.kind == AliasFact::Kind::Own && shares) {
      add_finding(static_cast<int>(k), FindingField::Alias, mine(), "has its own storage", Witness::Eager);
    } else if (fact.kind == AliasFact::Kind::Argument && fact.argument >= 0 && static_cast<size_t>(fact.argument) < n) {
      // Several arguments may be on one storage: the fact names any of them.
      if (shares && storage_of(shared) == storage_of(fact.argument)) continue;
      add_finding(static_cast<int>(k), FindingField::Alias, mine(),
                  fmt::format("shares the storage of argument {}", fact.argument), Witness::Eager);
    }
  }
}

void CheckedCall::judge_declared_aliases() {
  if (op_.composite) return;  // what a composite passes through is its parts' affair
  for (size_t k = 0; k < std::min(op_.schema.returns.size(), places().size()); ++k) {
    const Argument& declared = op_.schema.returns[k];
    if (declared.type.is_list()) return;  // of unknown length: positions after it are not
    if (!flat()[k].is_tensor() || states_[k].mismatched) continue;
    const AliasPlace& place = places()[k];
    const bool shares = place.same_storage >= 0 && static_cast<size_t>(place.same_storage) < arguments_.size();
    const char* expected = nullptr;
    // A few views are not declared in ATen's schemas: the tag, or a real run that shared, speaks for them.
    const bool known_view = op_.tags.has(Tag::View) || facts(k).alias.kind == AliasFact::Kind::Argument;
    if (!declared.alias && shares && !known_view) expected = "has its own storage (the schema declares no alias)";
    if (declared.is_write() && place.same_object < 0) expected = "is the written argument (the schema declares it)";
    if (declared.alias && op_.tags.has(Tag::View) && !shares) expected = "is a view of an argument (the op's tag)";
    if (!expected) continue;
    add_finding(static_cast<int>(k), FindingField::Alias, expected,
                to_string(place, arguments_.size(), *flat()[k].tensor_impl()), Witness::Declaration);
  }
}

void CheckedCall::judge_declared_writes() {
  if (op_.composite || !op_.schema.is_mutable()) return;
  size_t i = 0;
  for (size_t a = 0; a < op_.schema.arguments.size(); ++a) {
    for_each_tensor(real_args_.subspan(a, 1), [&](const TensorImpl*) {
      const ArgumentState& state = arguments_[i];
      const bool moved = state.real->storage->version() != state.real_version;
      if (op_.schema.arguments[a].is_write() && !moved) {
        add_finding(-1, FindingField::Mutation, fmt::format("argument {} is written: its version moves", i),
                    "its version did not move", Witness::Declaration, "a declared write did not move the version");
      }
      ++i;
    });
  }
}

void CheckedCall::judge_arguments() {
  judge_declared_writes();
  if (fake_error_) return;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const ArgumentState& a = arguments_[i];
    const bool fake_moved = a.fake->storage->version() != a.fake_version;
    const bool real_moved = a.real->storage->version() != a.real_version;
    if (fake_moved != real_moved) {
      const auto words = [&](bool moved) { return fmt::format("argument {} {}", i, moved ? "is written" : "is not"); };
      add_finding(-1, FindingField::Mutation, words(fake_moved), words(real_moved), Witness::Kernel);
    }
    const bool fake_left = a.fake->storage.get() != a.fake_storage;
    const bool real_left = a.real->storage.get() != a.real_storage;
    if (fake_left != real_left) {
      const auto words = [&](bool left) {
        return fmt::format("argument {} {}", i, left ? "is given another storage" : "keeps its storage");
      };
      add_finding(-1, FindingField::Mutation, words(fake_left), words(real_left), Witness::Kernel);
    }
    const bool changed = real_metas_.empty() ? !(a.real->meta == a.fake->meta)
                                             : !(a.real->meta == real_metas_[i]) ||
                                                   (!fake_metas_.empty() && !(a.fake->meta == fake_metas_[i]));
    if (!changed) continue;
    const bool same_flags = a.fake->meta.conj == a.real->meta.conj && a.fake->meta.neg == a.real->meta.neg;
    if (!same_flags || same_metadata(a.fake->meta, a.real->meta).verdict == MetaVerdict::Significant) {
      add_finding(-1, FindingField::Mutation, fmt::format("argument {} becomes {}", i, to_string(a.fake->meta)),
                  fmt::format("it becomes {}", to_string(a.real->meta)), Witness::Kernel);
    }
  }
}

}  // namespace ersatz

#include "tests/op_sequence_fuzz/shrink_sequence.h"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/base/smallest_part.h"

namespace ersatz {
namespace {

using Calls = std::vector<SequenceCall>;

bool differs(const Calls& calls, const FakeOptions& options) {
  return !replay_sequence(calls, options).difference.empty();
}

/// Returns the last call and the calls that it depends on. With `users`, also calls that took these calls' tensors as
/// arguments, and the calls that they depend on.
Calls related(const Calls& calls, bool users) {
  std::set<int64_t> wanted{calls.back().id};
  for (size_t before = 0; before != wanted.size();) {
    before = wanted.size();
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
      const auto is_wanted = [&](const SequenceCall::Swap& s) { return s.tensor && wanted.contains(s.tensor->call); };
      if (users && std::any_of(call->swaps.begin(), call->swaps.end(), is_wanted)) wanted.insert(call->id);
      if (!wanted.contains(call->id)) continue;
      for (const SequenceCall::Swap& s : call->swaps) {
        if (s.tensor) wanted.insert(s.tensor->call);
      }
    }
  }
  Calls part;
  std::copy_if(calls.begin(), calls.end(), std::back_inserter(part),
               [&](const SequenceCall& c) { return wanted.contains(c.id); });
  return part;
}

/// Replaces a swapped tensor of a call by an argument of the call that made it, if the sequence still differs.
bool pass_by(Calls& calls, SequenceCall::Swap& swap, const FakeOptions& options) {
  if (!swap.tensor) return false;
  const TensorOrigin before = *swap.tensor;
  const auto from = std::find_if(calls.begin(), calls.end(), [&](const auto& c) { return c.id == before.call; });
  if (from == calls.end()) return false;
  for (const SequenceCall::Swap& s : from->swaps) {
    if (!s.tensor) continue;
    swap.tensor = s.tensor;
    if (differs(calls, options)) return true;
  }
  swap.tensor = before;
  return false;
}

/// Removes swaps, or takes their tensors from calls before the current source.
bool simplify_swaps(Calls& calls, const FakeOptions& options) {
  bool any = false;
  for (size_t i = 0; i < calls.size(); ++i) {
    for (size_t s = calls[i].swaps.size(); s-- > 0;) {
      Calls rest = calls;
      rest[i].swaps.erase(rest[i].swaps.begin() + static_cast<ptrdiff_t>(s));
      if (differs(rest, options)) {
        calls = std::move(rest), any = true;
      } else {
        any |= pass_by(calls, calls[i].swaps[s], options);
      }
    }
  }
  return any;
}

}  // namespace

std::string left_over(const LiveObjects& before) {
  const LiveObjects after = live_objects();
  if (after == before) return {};
  return fmt::format("left over are {} tensors, {} storages, {} nodes, {} modes", after.tensors - before.tensors,
                     after.storages - before.storages, after.nodes - before.nodes, after.modes - before.modes);
}

ReplayedSequence replay_sequence(const std::vector<SequenceCall>& calls, const FakeOptions& options) {
  std::map<TensorOrigin, int64_t> last_use;
  for (const SequenceCall& c : calls) {
    for (const SequenceCall::Swap& s : c.swaps) {
      if (s.tensor) last_use[*s.tensor] = c.id;
    }
  }
  const LiveObjects before = live_objects();
  ReplayedSequence replayed;
  {
    CallPairs pairs(options);
    for (const SequenceCall& c : calls) {
      replayed.difference = pairs.make(c, c.sample_arguments());
      replayed.texts.push_back(pairs.text());
      std::erase_if(pairs.living, [&](const CallPairs::Pair& p) { return last_use[p.origin] <= c.id; });
      for (const CallPairs::Pair& p : pairs.of_call()) {
        if (last_use.contains(p.origin)) pairs.living.push_back(p);
      }
    }
  }
  if (replayed.difference.empty()) replayed.difference = left_over(before);
  return replayed;
}

std::vector<SequenceCall> shrink_sequence(const std::vector<SequenceCall>& calls, const FakeOptions& options) {
  Calls smallest = calls;
  for (const Calls& part : {related(calls, false), related(calls, true), calls}) {
    if (!differs(part, options)) continue;
    smallest = part;
    const auto fails = [&](const Calls& rest) { return differs(rest, options); };
    take_smallest_part(smallest, fails);
    while (simplify_swaps(smallest, options) || leave_out(smallest, 1, fails)) continue;
    break;
  }
  return smallest;
}

std::string sequence_text(const std::vector<SequenceCall>& calls, const FakeOptions& options) {
  const ReplayedSequence replayed = replay_sequence(calls, options);
  std::string text;
  for (size_t i = 0; i < calls.size(); ++i) text += fmt::format("  {} # {}\n", to_string(calls[i]), replayed.texts[i]);
  return text + fmt::format("  {}\n", replayed.difference.empty() ? "it does not differ again" : replayed.difference);
}

}  // namespace ersatz

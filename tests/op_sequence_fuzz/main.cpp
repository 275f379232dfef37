// fuzz_calls: random sequences of calls, made with real and with fake tensors (call_pool.h).
//
//   fuzz_calls [--calls N] [--seed S] [--mode plain|cache|propagate] [--gradients] [--keep-going]
//   fuzz_calls --replay FILE
//   fuzz_calls --left-out
//
// Prints each difference, and the objects that are left when a pool ends, with the shortest sequence of calls that
// shows it (shrink_sequence.h). Exits with 1 at the first difference, or at the end with --keep-going. --replay makes
// the calls of a FILE with these lines again. The pool is new every 100,000 calls, so the printed seed and at most that
// many calls reproduce a difference. With --gradients a tenth of the steps are requests to autograd, for example a
// backward run. No tensor, storage, node or mode may be left when a pool ends. --left-out lists the ops without calls.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>

#include "tests/op_sequence_fuzz/call_pool.h"
#include "tests/op_sequence_fuzz/shrink_sequence.h"

using namespace ersatz;

namespace {

struct Run {
  int64_t calls = 100000;
  uint64_t seed = 0;
  bool keep_going = false;
  bool gradients = false;
  FakeOptions options;
};

int list_left_out() {
  const std::vector<const OpEntry*> drawn = sequence_ops();
  for (const OpEntry* op : registry().all()) {
    if (std::find(drawn.begin(), drawn.end(), op) == drawn.end())
      std::printf("%s: %s\n", op->name.c_str(),
                  op->tags.has(Tag::Foreign)      ? "of a plugin"
                  : op->tags.has(Tag::Collective) ? "of a group of processes"
                                                  : "no sample");
  }
  return 0;
}

int replay(const std::string& file, const FakeOptions& options) {
  std::ifstream in(file);
  std::vector<SequenceCall> calls;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) calls.push_back(parse_sequence_call(line));
  }
  if (calls.empty()) throw CLI::FileError("there is no call in " + file);
  std::printf("%s", sequence_text(calls, options).c_str());
  return replay_sequence(calls, options).difference.empty() ? 0 : 1;
}

struct Sum {
  SequenceCounts counts;
  std::set<const OpEntry*> drawn;
  std::map<std::string, int64_t> differences;  // by op
  int64_t wrong = 0;
};

void run_pool(const Run& r, int64_t calls, Sum& sum) {
  CallPool pool(r.options, r.seed, sequence_ops(), r.gradients);
  for (int64_t i = 0; i < calls && (r.keep_going || sum.wrong == 0); ++i) {
    const std::string difference = pool.step();
    const SequenceCall& call = pool.calls().back();
    if (call.op) sum.drawn.insert(call.op);
    if (difference.empty()) continue;
    ++sum.wrong;
    if (++sum.differences[call.op ? call.op->name : std::string(name(call.action))] > 3) continue;
    fmt::print("seed {}, call {}: {}\n  {}\nshrunk:\n{}", r.seed, i, pool.pairs().text(), difference,
               sequence_text(shrink_sequence(pool.calls(), r.options), r.options));
    std::fflush(stdout);
  }
  const SequenceCounts& c = pool.pairs().counts();
  sum.counts.calls += c.calls;
  sum.counts.refused += c.refused;
  sum.counts.value_failures += c.value_failures;
  sum.counts.data_dependent += c.data_dependent;
  sum.counts.backward += c.backward;
  sum.counts.followed += c.followed;
}

/// Returns the shortest sequence that leaves objects. REQUIRES: a pool of `calls` calls leaves some. Pools with fewer
/// calls show after which call objects are left.
std::string leaving_sequence(const Run& r, int64_t calls) {
  int64_t none = 0;
  LiveObjects known = live_objects();
  while (calls - none > 1) {
    const int64_t half = none + (calls - none) / 2;
    Sum unused;
    run_pool(r, half, unused);
    (live_objects() == known ? none : calls) = half;
    known = live_objects();
  }
  CallPool pool(r.options, r.seed, sequence_ops(), r.gradients);
  for (int64_t i = 0; i < calls; ++i) pool.step();
  return sequence_text(shrink_sequence(pool.calls(), r.options), r.options);
}

int run(Run r) {
  constexpr int64_t kCallsPerPool = 100000;
  Sum sum;
  for (int64_t done = 0; done < r.calls && (r.keep_going || sum.wrong == 0); done += kCallsPerPool, ++r.seed) {
    const LiveObjects before = live_objects();
    run_pool(r, std::min(kCallsPerPool, r.calls - done), sum);
    const std::string left = left_over(before);
    if (left.empty()) continue;
    ++sum.wrong;
    fmt::print("seed {}: {}\nshrunk:\n{}", r.seed, left, leaving_sequence(r, std::min(kCallsPerPool, r.calls - done)));
  }
  for (const auto& [op, n] : sum.differences) fmt::print("{:8} {}\n", n, op);
  const SequenceCounts& c = sum.counts;
  fmt::print("fuzz_calls: {} calls of {} ops, {} differ, {} refused alike, {} value failures, {} data-dependent",
             c.calls, sum.drawn.size(), sum.wrong, c.refused, c.value_failures, c.data_dependent);
  if (r.gradients) fmt::print(", {} results with a node, {} backward runs passed", c.followed, c.backward);
  fmt::print("\n");
  return sum.wrong ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  Run r;
  std::string mode = "plain", file;
  bool left_out = false;
  CLI::App app("random sequences of calls, real and fake side by side");
  app.add_option("--calls", r.calls, "how many calls");
  app.add_option("--seed", r.seed, "of the first 100,000 calls; the next ones take the next seeds");
  app.add_option("--mode", mode, "what the fake mode does besides")
      ->check(CLI::IsMember({"plain", "cache", "propagate"}));
  app.add_flag("--gradients", r.gradients, "tensors that require gradients, regions, backward runs");
  app.add_flag("--keep-going", r.keep_going, "do not stop at the first difference");
  app.add_option("--replay", file, "make the calls of this file, as they were printed")->check(CLI::ExistingFile);
  app.add_flag("--left-out", left_out, "list the ops that are never drawn, and why");
  CLI11_PARSE(app, argc, argv);

  if (mode == "cache") {
    r.options.cache = CachePolicy::Always;
    r.options.cache_crosscheck = true;
  }
  r.options.propagate_real = mode == "propagate";
  try {
    if (left_out) return list_left_out();
    return file.empty() ? run(r) : replay(file, r.options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fuzz_calls: %s\n", e.what());
    return 2;
  }
}

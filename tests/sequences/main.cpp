// fuzz_calls: random sequences of calls, made with real and with fake tensors (call_pool.h).
//
//   fuzz_calls [--calls N] [--seed S] [--mode plain|cache|propagate] [--keep-going]
//   fuzz_calls --replay FILE
//   fuzz_calls --left-out
//
// Prints each difference after the shortest sequence of calls that it needs (shrink_sequence.h). Exits with 1 at the
// first difference, or at the end with --keep-going. --replay makes the calls of a FILE with these lines again. The
// pool is new every 100,000 calls, so the printed seed and at most that many calls reproduce a difference. --left-out
// lists the ops without calls.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>

#include "tests/sequences/call_pool.h"
#include "tests/sequences/shrink_sequence.h"

using namespace ersatz;

namespace {

struct Run {
  int64_t calls = 100000;
  uint64_t seed = 0;
  bool keep_going = false;
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

int run(Run r) {
  constexpr int64_t kCallsPerPool = 100000;
  SequenceCounts total;
  std::set<const OpEntry*> drawn;
  std::map<std::string, int64_t> differences;  // by op
  int64_t wrong = 0;
  for (int64_t done = 0; done < r.calls && (r.keep_going || wrong == 0); done += kCallsPerPool, ++r.seed) {
    CallPool pool(r.options, r.seed);
    for (int64_t i = 0; i < std::min(kCallsPerPool, r.calls - done) && (r.keep_going || wrong == 0); ++i) {
      const std::string difference = pool.step();
      drawn.insert(pool.calls().back().op);
      if (difference.empty()) continue;
      ++wrong;
      if (++differences[pool.calls().back().op->name] > 3) continue;
      std::printf("seed %llu, call %lld: %s\n  %s\nshrunk:\n%s", static_cast<unsigned long long>(r.seed),
                  static_cast<long long>(i), pool.pairs().text().c_str(), difference.c_str(),
                  sequence_text(shrink_sequence(pool.calls(), r.options), r.options).c_str());
      std::fflush(stdout);
    }
    const SequenceCounts& c = pool.pairs().counts();
    total.calls += c.calls;
    total.refused += c.refused;
    total.value_failures += c.value_failures;
    total.data_dependent += c.data_dependent;
  }
  for (const auto& [op, n] : differences) std::printf("%8lld %s\n", static_cast<long long>(n), op.c_str());
  std::printf(
      "fuzz_calls: %lld calls of %zu ops, %lld differ, %lld refused alike, %lld value failures, %lld data-dependent\n",
      static_cast<long long>(total.calls), drawn.size(), static_cast<long long>(wrong),
      static_cast<long long>(total.refused), static_cast<long long>(total.value_failures),
      static_cast<long long>(total.data_dependent));
  return wrong ? 1 : 0;
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

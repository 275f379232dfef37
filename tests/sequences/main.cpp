// fuzz_calls: random sequences of calls, real and fake side by side (call_pool.h).
//
//   fuzz_calls [--calls N] [--seed S] [--mode plain|cache|propagate] [--keep-going]
//
// Prints what differs and exits with 1 at the first difference, or at the end with --keep-going. The pool is made anew
// every 100,000 calls, so a difference comes back with the seed that is printed and at most that many calls.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>

#include "tests/sequences/call_pool.h"

using namespace ersatz;

int main(int argc, char** argv) {
  int64_t calls = 100000;
  uint64_t seed = 0;
  std::string mode = "plain";
  bool keep_going = false;
  CLI::App app("random sequences of calls, real and fake side by side");
  app.add_option("--calls", calls, "how many calls");
  app.add_option("--seed", seed, "of the first 100,000 calls; the next ones take the next seeds");
  app.add_option("--mode", mode, "what the fake mode does besides")
      ->check(CLI::IsMember({"plain", "cache", "propagate"}));
  app.add_flag("--keep-going", keep_going, "do not stop at the first difference");
  CLI11_PARSE(app, argc, argv);

  FakeOptions options;
  if (mode == "cache") {
    options.cache = CachePolicy::Always;
    options.cache_crosscheck = true;
  }
  options.propagate_real = mode == "propagate";

  constexpr int64_t kCallsPerPool = 100000;
  SequenceCounts total;
  std::map<std::string, int64_t> differences;  // by op
  for (int64_t done = 0; done < calls; done += kCallsPerPool, ++seed) {
    CallPool pool(options, seed);
    for (int64_t i = 0; i < std::min(kCallsPerPool, calls - done); ++i) {
      const std::string wrong = pool.step();
      if (wrong.empty()) continue;
      const std::string op = wrong.substr(0, wrong.find('('));
      if (++differences[op] <= 3)
        std::printf("seed %llu, call %lld: %s\n", static_cast<unsigned long long>(seed), static_cast<long long>(i),
                    wrong.c_str());
      if (!keep_going) return 1;
    }
    const SequenceCounts& c = pool.counts();
    total.calls += c.calls;
    total.refused += c.refused;
    total.value_failures += c.value_failures;
    total.data_dependent += c.data_dependent;
  }
  int64_t wrong = 0;
  for (const auto& [op, n] : differences) {
    std::printf("%8lld %s\n", static_cast<long long>(n), op.c_str());
    wrong += n;
  }
  std::printf("fuzz_calls: %lld calls, %lld differ, %lld refused alike, %lld value failures, %lld data-dependent\n",
              static_cast<long long>(total.calls), static_cast<long long>(wrong), static_cast<long long>(total.refused),
              static_cast<long long>(total.value_failures), static_cast<long long>(total.data_dependent));
  return wrong ? 1 : 0;
}

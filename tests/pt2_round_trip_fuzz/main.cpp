// change_programs: programs with random changes are written as .pt2 archives and loaded again (written_program.h).
//
//   change_programs FOLDER... [--rounds N] [--seconds N] [--seed S]
//
// Every program below the folders is first written without a change. Then, N times or for so many seconds, a random
// program in a random form (text, graph JSON) is changed in up to three places. If a loaded program differs from the
// written one, it is printed, its bytes are kept in change_programs.failed in the temporary folder, and the exit status
// is 1.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "runtime/base/error.h"
#include "tests/pt2_round_trip_fuzz/program_change.h"
#include "tests/pt2_round_trip_fuzz/written_program.h"
#include "tracer/pt2/program_file.h"
#include "tracer/pt2/save_program.h"
#include "tracer/text/text_form.h"

using namespace ersatz;
namespace fs = std::filesystem;

namespace {

/// Adds the text and the graph JSON of a program. Forms that are too long to be changed often are left out.
void add_forms(const std::string& file, std::vector<std::string>& forms) {
  constexpr size_t kLongest = 1 << 18;
  try {
    const Program p = load_program(file);
    TextOptions options;
    options.inline_values = p.weights.total_bytes() < (1 << 13);
    for (std::string form : {print_program(p, options), print_pt2_json(p)}) {
      if (form.size() <= kLongest) forms.push_back(std::move(form));
    }
  } catch (const Error&) {  // the file is no program but facts or values
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> folders;
  int64_t rounds = 0, seconds = 0;
  uint64_t seed = 0;
  CLI::App app("programs with random changes, written and loaded again");
  app.add_option("FOLDER", folders, "where programs lie")->required();
  app.add_option("--rounds", rounds, "how many changed programs");
  app.add_option("--seconds", seconds, "for how long, in place of rounds");
  app.add_option("--seed", seed, "of the changes");
  CLI11_PARSE(app, argc, argv);

  std::vector<std::string> forms;
  for (const std::string& folder : folders) {
    for (const auto& e : fs::recursive_directory_iterator(folder)) {
      const std::string name = e.path().extension().string();
      if (e.is_regular_file() && (name == ".pt2" || name == ".json" || name == ".txt"))
        add_forms(e.path().string(), forms);
    }
  }
  if (forms.empty()) {
    std::fprintf(stderr, "no program below the folders\n");
    return 2;
  }
  const fs::path memory = "/dev/shm";
  const fs::path place = fs::is_directory(memory) ? memory : fs::temp_directory_path();
  const std::string file = (place / ("change_programs." + std::to_string(getpid()) + ".pt2")).string();
  std::mt19937_64 random(seed);
  int64_t ends[3] = {};
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  int64_t done = 0;
  for (; seconds ? std::chrono::steady_clock::now() < until : done < rounds; ++done) {
    std::string bytes = forms[static_cast<size_t>(done) % forms.size()];
    // Each form is first written without a change.
    const size_t changes = static_cast<size_t>(done) < forms.size() ? 0 : 1 + (random() % 2) * (random() % 3);
    for (size_t i = 0; i < changes; ++i) change(bytes, random);
    const WrittenProgram found = write_and_load(bytes, file);
    ++ends[static_cast<int>(found.end)];
    if (found.wrong.empty()) continue;
    std::printf("seed %llu, round %lld: %s\n", static_cast<unsigned long long>(seed), static_cast<long long>(done),
                found.wrong.c_str());
    std::ofstream(fs::temp_directory_path() / "change_programs.failed", std::ios::binary) << bytes;
    fs::remove(file);
    return 1;
  }
  fs::remove(file);
  std::printf("%lld programs of %zu: %lld not loaded, %lld not written, %lld came back\n", static_cast<long long>(done),
              forms.size(), static_cast<long long>(ends[0]), static_cast<long long>(ends[1]),
              static_cast<long long>(ends[2]));
  return 0;
}

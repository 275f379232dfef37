// Symbolic results compared with eager PyTorch runs at other sizes (ERSATZ_DATA/symbols/programs).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/tensor/meta_text.h"
#include "tests/tools/command_line.h"
#include "tools/program/fake_run.h"
#include "tools/program/program_input.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;

struct Tally {
  int64_t runs = 0, compared = 0, undecided = 0;
  std::vector<std::string> different;
};

fs::path data_folder() {
  const char* set = std::getenv("ERSATZ_DATA");
  return set && *set ? set : ERSATZ_DATA;
}

/// The file of the named program in the data.
std::string program_file(const std::string& name) {
  for (const auto& group : fs::directory_iterator(data_folder() / "programs")) {
    const fs::path json = group.path() / name / "model.json", archive = group.path() / name / (name + ".pt2");
    if (fs::exists(json)) return json.string();
    if (fs::exists(archive)) return archive.string();
  }
  return "";
}

/// True if dtype, sizes, offset and significant strides are equal. Strides of empty tensors and of dims of size 1 are
/// ignored.
bool significantly_equal(const TensorMeta& a, const TensorMeta& b) {
  if (a.dtype != b.dtype || !sym_eq(a.sizes, b.sizes) || !sym_eq(a.offset, b.offset)) return false;
  if (a.numel().is_identical(0)) return true;
  for (size_t d = 0; d < b.sizes.size(); ++d) {
    if (b.sizes[d].as_int() > 1 && !sym_eq(a.strides[d], b.strides[d])) return false;
  }
  return true;
}

void compare(const Program& program, const FakeSummary& ours, const nlohmann::json& facts, const std::string& run,
             Tally& tally) {
  std::map<std::string, const FakeRow*> rows;
  for (const FakeRow& r : ours.rows) rows.emplace(r.name, &r);
  SymbolValues symbols(program);
  for (const auto& [name, value] : facts["symbols"].items()) symbols.bind(name, value.get<int64_t>());
  for (const auto& node : facts["nodes"]) {
    for (const auto& output : node["outputs"]) {
      const auto row = rows.find(output["value"].get<std::string>());
      if (row == rows.end() || !output["real"].is_string()) continue;
      const std::string real = output["real"];
      if (real.find('[') == real.npos || row->second->meta.find('@') == row->second->meta.npos) continue;
      const auto here = symbols.concrete(parse_meta(row->second->meta, program.env.get()));
      if (!here) {
        ++tally.undecided;
        continue;
      }
      ++tally.compared;
      if (!significantly_equal(*here, parse_meta(real))) {
        tally.different.push_back(run + " " + row->first + ": " + row->second->meta + ", eager " + real);
      }
    }
  }
}

TEST(SymbolFacts, EagerRunsAtOtherSizesMatchTheExpressions) {
  const fs::path folder = data_folder() / "symbols" / "programs";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "ERSATZ_DATA names no folder with runs at other sizes";
  Tally tally;
  FakeRunOptions how;
  how.symbolic = true;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string(), file = entry.is_directory() ? program_file(name) : "";
    if (file.empty()) continue;
    const Program program = load_dynamic(file, {});
    const FakeSummary ours = run_fake(program, how);
    for (const auto& facts : fs::directory_iterator(entry.path())) {
      const std::string run = name + "/" + facts.path().filename().string();
      ++tally.runs;
      compare(program, ours, nlohmann::json::parse(read_bytes(facts.path().string())), run, tally);
    }
  }
  std::printf("%lld runs: %lld results compared, %lld undecided, %zu different\n", static_cast<long long>(tally.runs),
              static_cast<long long>(tally.compared), static_cast<long long>(tally.undecided), tally.different.size());
  EXPECT_GE(tally.runs, 70);
  EXPECT_GE(tally.compared, 10'000);
  EXPECT_EQ(tally.different.size(), 0U) << tally.different[0];
}

}  // namespace
}  // namespace ersatz::tools

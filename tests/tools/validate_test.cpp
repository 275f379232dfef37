// Runs `ersatz validate` and `ersatz merge` as programs: their calls run in forked children, and this process has
// threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kLib = ERSATZ_BINARY_DIR "/lib/";
const std::string kRecords = ERSATZ_SOURCE_DIR "/tests/conformance/add.jsonl";
const std::string kProgram = ERSATZ_BINARY_DIR "/bin/ersatz";

/// Runs a shell command; `out` has stdout and stderr.
CommandResult run_shell(const std::string& command) {
  CommandResult result;
  std::FILE* out = ::popen((command + " 2>&1").c_str(), "r");
  if (!out) return result;
  char buffer[4096];
  while (const size_t n = std::fread(buffer, 1, sizeof buffer, out)) result.out.append(buffer, n);
  const int status = ::pclose(out);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
  return result;
}
CommandResult validate(const std::string& arguments) { return run_shell(kProgram + " validate " + arguments); }
std::string plugin(const char* name) { return " --plugin " + kLib + name + ".so"; }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// A wrong op and its expected report: first line, smallest call, reason.
struct Planted {
  const char* op;
  const char* plugin;
  const char* first;  ///< the first line of the report
  const char* call;   ///< the smallest call
  const char* why;    ///< a text in the report
};

const Planted kPlanted[] = {
    {"zoo::keeps_order", "zoo_ops", "finding: zoo.keeps_order.default, result 0: stride",
     "zoo.keeps_order.default(f32[2,2]{1,2}+0@cpu) fill=zeros", "only where x is laid out as f32[2,2]{1,2}+0@cpu"},
    {"zoo::promotes", "zoo_ops", "finding: zoo.promotes.default, result 0: dtype",
     "zoo.promotes.default(f32[]{}+0@cpu, f64[]{}+0@cpu) fill=zeros",
     "only for tensors of different dtypes (f32, f64): with f32 alone nothing is found"},
    {"zoo::aliases", "zoo_ops", "finding: zoo.aliases.default, result 0: alias",
     "zoo.aliases.default(f32[]{}+0@cpu) fill=zeros",
     "the schema does not say that this result shares an argument's memory"},
    {"zoo::writes_input", "zoo_ops", "finding: zoo.writes_input.default: undeclared_write",
     "zoo.writes_input.default(f32[]{}+0@cpu) fill=zeros",
     "an op may write what its schema marks, Tensor(a!) x, and nothing else"},
    {"zoo::leaves_last", "zoo_ops", "finding: zoo.leaves_last.default, result 0: unwritten",
     "zoo.leaves_last.default(f32[]{}+0@cpu) fill=zeros",
     "  expected: every element is written\n  found:    1 of 1 elements are not"},
    {"zoo::past_end", "zoo_ops", "finding: zoo.past_end.default, result 0: out_of_bounds",
     "zoo.past_end.default(f32[]{}+0@cpu) fill=zeros", "found:    byte 1 behind its buffer was written"},
    {"zoo::positive", "zoo_ops", "finding: zoo.positive.default, result 0: size",
     "zoo.positive.default(f32[]{}+0@cpu) fill=zeros",
     "only for some values: found with fill=zeros, not with ones, random, index_safe"},
    {"zoo::crashes_at_eight", "zoo_ops", "finding: zoo.crashes_at_eight.default: crash: died of SIGSEGV",
     "zoo.crashes_at_eight.default(f32[8]{1}+0@cpu) fill=zeros",
     "only where dim 0 of x is 8: with 7 or 9 nothing is found"},
    {"perilous::exits", "perilous_ops", "finding: perilous.exits.default: crash: exited with status 7",
     "perilous.exits.default(f32[1]{1}+0@cpu) fill=zeros", "smallest call"},
    {"perilous::aborts", "perilous_ops", "finding: perilous.aborts.default: crash: died of SIGABRT",
     "perilous.aborts.default(i8[]{}+0@cpu) fill=zeros", "only for i8: with f32 in its place nothing is found"},
    {"perilous::rule_crashes", "perilous_ops", "finding: perilous.rule_crashes.default: crash: died of SIGSEGV",
     "perilous.rule_crashes.default(f32[1,1]{1,1}+0@cpu) fill=zeros",
     "only where dims 0, 1 of x are 1: with 2 nothing is found"},
    {"perilous::kernel_refuses", "perilous_ops", "finding: perilous.kernel_refuses.default: error",
     "perilous.kernel_refuses.default(f32[3]{1}+0@cpu) fill=zeros",
     "only where dim 0 of x is 3: with 2 or 4 nothing is found"},
    {"perilous::rule_refuses", "perilous_ops", "finding: perilous.rule_refuses.default: error",
     "perilous.rule_refuses.default(f64[]{}+0@cpu) fill=zeros", "only for f64: with f32 in its place nothing is found"},
    {"perilous::offset", "perilous_ops", "finding: perilous.offset.default, result 0: offset",
     "perilous.offset.default(f32[]{}+3@cpu) fill=zeros", "row-major, nothing is found"},
    {"perilous::swaps_sizes", "perilous_ops", "finding: perilous.swaps_sizes.default, result 0: size",
     "perilous.swaps_sizes.default(f32[2,1]{1,1}+0@cpu) fill=zeros",
     "only where dim 0 of x is 2 or more: with 1 nothing is found"},
};

TEST(Validate, EachPlantedFaultIsNamedAndShrunk) {
  for (const Planted& p : kPlanted) {
    const CommandResult r = validate(std::string(p.op) + plugin(p.plugin));
    EXPECT_EQ(r.status, 1) << p.op;
    EXPECT_THAT(first_line(r.out), StartsWith(p.first)) << p.op;
    EXPECT_THAT(r.out, HasSubstr(std::string("\n  smallest call: ") + p.call + "\n")) << p.op;
    EXPECT_THAT(r.out, HasSubstr(p.why)) << p.op << "\n" << r.out;
  }
}

TEST(Validate, TheVerdictOfAnOpFitsOneScreen) {
  for (const Planted& p : kPlanted) {
    const std::string out =
        run_shell("cd " + kLib + " && " + kProgram + " validate " + p.op + " --plugin ./" + p.plugin + ".so").out;
    int64_t rows = 1;  // the shell prompt's row
    for (size_t at = 0; at < out.size();) {
      const size_t end = std::min(out.find('\n', at), out.size());
      rows += 1 + static_cast<int64_t>(end - at - (end > at)) / 80;
      at = end + 1;
    }
    EXPECT_LE(rows, 32) << out;
  }
}

TEST(Validate, HangIsFindingAndOtherCallsGoOn) {
  const CommandResult r = validate(
      "perilous::hangs --time-limit 0.3 --layout as_written --layout other_sizes --dtype f32" + plugin("perilous_ops"));
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(first_line(r.out), StartsWith("finding: perilous.hangs.default: hang: no end within 0.3 s")) << r.out;
  EXPECT_THAT(r.out, HasSubstr("perilous.hangs.default(f32[5]{1}+0@cpu)"));
  EXPECT_THAT(r.out, HasSubstr("after_crashes"));
}

TEST(Validate, RightOpIsCleanAndListsItsTrials) {
  const CommandResult r = validate("zoo::scale" + plugin("zoo_ops"));
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(first_line(r.out), StartsWith("zoo.scale.default: 496 calls, 100 agreed, 396 refused alike"));
  EXPECT_THAT(r.out,
              HasSubstr("validate: 1 ops, 496 calls, 100 agreed, 396 refused alike, 0 with findings, 0 unchecked\n"));
}

TEST(Validate, AReproShowsTheFindingToCrosscheck) {
  const CommandResult r = validate("zoo::keeps_order --json" + plugin("zoo_ops"));
  const std::string repro = r.json()["findings"][0]["repro"];
  const std::string file = scratch_file("keeps_order.txt", repro);
  const CommandResult again = run_command({"crosscheck", file, "--plugin", kLib + "zoo_ops.so", "--json"});
  EXPECT_EQ(again.status, 1) << again.err;
  EXPECT_EQ(again.json()["findings"][0]["field"], "stride");
}

TEST(Validate, JsonHasRowPerOpAndFindingKeys) {
  const nlohmann::json report = validate("--json" + plugin("zoo_ops")).json();
  EXPECT_EQ(report["format"], 1);
  EXPECT_EQ(report["command"], "validate");
  EXPECT_EQ(report["status"], "findings");
  ASSERT_EQ(report["ops"].size(), 9u);
  for (const auto& row : report["ops"]) {
    for (const char* key : {"op", "samples", "agreed", "refused", "findings", "unchecked"})
      EXPECT_TRUE(row.contains(key));
    EXPECT_EQ(row["findings"] == 0, row["op"] == "zoo.scale.default") << row;
  }
  for (const auto& f : report["findings"]) {
    for (const char* key : {"node", "op", "result", "field", "predicted", "observed", "witness", "verdict", "args",
                            "repro", "call", "why"}) {
      EXPECT_TRUE(f.contains(key)) << key << f;
    }
  }
}

// XCHK-14, for ops on the CPU.
TEST(Validate, EverySampleOfInventoryOfSoundOpsPasses) {
  const nlohmann::json report = validate("--json" + plugin("demo_ops")).json();
  EXPECT_EQ(report["status"], "clean") << report;
  ASSERT_EQ(report["ops"].size(), 3u);
  for (const auto& row : report["ops"]) {
    EXPECT_GE(row["samples"], 1) << row;
    EXPECT_GE(row["agreed"], 1) << row;
    EXPECT_EQ(row["findings"], 0) << row;
  }
}

TEST(Validate, OpWithoutSamplesIsCountedWithReason) {
  const CommandResult r = validate("perilous::no_sample" + plugin("perilous_ops"));
  EXPECT_EQ(r.status, 1) << "nothing was compared";
  EXPECT_THAT(r.out, HasSubstr("no_samples: the op has no samples"));
}

TEST(Validate, OpWithoutRuleIsHeldAgainstItsFallback) {
  const CommandResult r = validate("perilous::no_rule --dtype f32" + plugin("perilous_ops"));
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr(" 0 refused alike, 0 with findings"));
}

TEST(Validate, ReadsANameLikeEveryCommand) {
  const std::string filter = " --layout as_written --dtype f32";
  EXPECT_THAT(validate("add" + filter).out, HasSubstr("\nvalidate: 5 ops, ")) << "prims.add too";
  EXPECT_THAT(validate("aten.add" + filter).out, HasSubstr("\nvalidate: 4 ops, "));
  const std::string one = first_line(validate("aten.add.Tensor" + filter).out);
  EXPECT_THAT(one, StartsWith("aten.add.Tensor: "));
  EXPECT_EQ(first_line(validate("add.Tensor" + filter).out), one);
  EXPECT_EQ(first_line(validate("aten::add.Tensor" + filter).out), one);
}

TEST(Validate, FiltersKeepTheirLayoutDtypeAndFill) {
  const CommandResult r = validate("zoo::scale --layout permuted --dtype f32 --fill ones" + plugin("zoo_ops"));
  EXPECT_EQ(r.status, 0) << r.out;
  EXPECT_THAT(r.out, HasSubstr("validate: 1 ops, 1 calls, 1 agreed"));
  EXPECT_EQ(validate("zoo::keeps_order --layout gapped" + plugin("zoo_ops")).status, 0)
      << "wrong for permuted inputs only";
}

TEST(Validate, ErsatzOpsAreTriedWithTheirSamples) {
  const CommandResult r = validate("add mm embedding --json");
  EXPECT_EQ(r.status, 0) << r.out;
  for (const auto& row : r.json()["ops"]) EXPECT_GT(row["agreed"], 400) << row;
}

// `validate --all` and `--fuzz 1000000` found faults in these ops, which are corrected: products without a column,
// results that are an argument, `out=` arguments that a kernel resizes.
TEST(Validate, WhatItFoundInErsatzIsMended) {
  const CommandResult samples = validate("bmm matmul native_dropout channel_shuffle");
  EXPECT_EQ(samples.status, 0) << samples.out.substr(0, 2000);
  const CommandResult random = validate("nonzero masked_select index repeat_interleave --fuzz 20000");
  EXPECT_EQ(random.status, 0) << random.out.substr(0, 2000);
}

TEST(Validate, RecordedCallsAreComparedWithTheirRecord) {
  const CommandResult r = validate(ERSATZ_SOURCE_DIR "/tests/conformance/add.jsonl --json");
  EXPECT_EQ(r.status, 0) << r.out.substr(0, 2000);
  EXPECT_EQ(r.json()["ops"][0]["agreed"], r.json()["ops"][0]["samples"]);
}

TEST(Validate, RecordedCallsAreReadFromStdinAndFolders) {
  const std::string closing = validate(kRecords + " | tail -1").out;
  EXPECT_THAT(closing, StartsWith("validate: "));
  EXPECT_EQ(run_shell(kProgram + " validate - < " + kRecords + " | tail -1").out, closing);
  const std::string copy = scratch_file("recorded/below/add.jsonl", read_bytes(kRecords));
  EXPECT_EQ(validate(copy.substr(0, copy.size() - 16) + " | tail -1").out, closing);
}

TEST(Validate, ARecordThatWasChangedIsAFinding) {
  const std::string file = scratch_file(
      "wrong.jsonl",
      R"({"id":"add/1","op":"aten.add.Tensor","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8},{"t":"f32[2]{1}+0@cpu","s":1,"n":8}],)"
      R"("kwargs":{},"out":[{"t":"f64[2]{1}+0@cpu","s":2,"n":16}],"after":{},"tags":[]})"
      "\n");
  const CommandResult r = validate(file);
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_THAT(first_line(r.out), StartsWith("finding: aten.add.Tensor, result 0: dtype")) << r.out;
}

TEST(ValidateInput, UnusableInputIsOneLineAndStatusTwo) {
  const std::pair<std::string, const char*> bad[] = {
      {"", "nothing to try"},
      {"no_such_op", "no_such_op"},
      {"convolushun", "no operator is named convolushun; did you mean aten.convolution?"},
      {"add --plugin /nowhere/at_all.so", "/nowhere/at_all.so"},
      {"add --shard 5/4", "--shard 5/4: like 1/4"},
      {"add --shard 0/4", "--shard 0/4"},
      {"add --shard x", "--shard x"},
      {"add --layout sideways", "--layout sideways: there are as_written, permuted"},
      {"add --dtype f33", "--dtype f33: there are bool"},
      {"add --fill sevens", "--fill sevens: there are zeros"},
      {"add --device meta", "--device meta: no kernel runs there"},
      {"add --fuzz 0", "--fuzz"},
      {"add -o /nowhere/at/all.json", "/nowhere/at/all.json"},
      {"add --fuzz -5", "-5 is no whole number from 1 to"},
      {"add --fuzz 99999999999999999999", "is no whole number from 1 to"},
      {"add --seed -1", "-1 is no whole number from 0 to"},
      {"add --jobs 0", "0 is no whole number from 1 to 1024"},
      {"add --time-limit nan", "nan is no number of seconds above 0"},
      {"add --shard 1/2/3", "--shard 1/2/3: like 1/4"},
      {"/nowhere/x.jsonl", "/nowhere/x.jsonl: no such file, and no operator of that name"},
      {ERSATZ_SOURCE_DIR "/README.md", "README.md: neither an operator nor recorded calls"},
      {ERSATZ_SOURCE_DIR "/tests/programs/mlp/mlp.pt2", "neither an operator nor recorded calls"},
      {ERSATZ_SOURCE_DIR "/cmake", "there is no program and no recorded call below this folder"},
      {"--plugin " ERSATZ_SOURCE_DIR "/README.md", "invalid ELF header"},
      {"--plugin " + kLib + "libersatz.so", "it has no function ersatz_plugin"},
      {kRecords + " add", "operators or recorded calls, not both"},
      {kRecords + " --fuzz 100", "are for samples: recorded calls are taken as they are"},
      {kRecords + " --layout permuted", "are for samples: recorded calls are taken as they are"},
      {scratch_file("cut.jsonl", read_bytes(kRecords).substr(0, 3000)), "no readable JSON"},
      {scratch_file("newer.jsonl", R"({"format":3,"id":"0","op":"aten.t.default"})"),
       "format 3, this ersatz reads up to 2"},
      {scratch_file("empty.jsonl", ""), "neither an operator nor recorded calls"},
  };
  for (const auto& [arguments, words] : bad) {
    const CommandResult r = validate(arguments);
    EXPECT_EQ(r.status, 2) << arguments << "\n" << r.out;
    EXPECT_THAT(r.out, HasSubstr(words)) << arguments;
    EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), 1) << r.out;
  }
}

TEST(ValidateFuzz, FindsAndShrinksWhatTheSamplesShow) {
  const CommandResult r = validate("zoo::crashes_at_eight --fuzz 400 --seed 3" + plugin("zoo_ops"));
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(first_line(r.out), StartsWith("finding: zoo.crashes_at_eight.default: crash: died of SIGSEGV")) << r.out;
  EXPECT_THAT(r.out, HasSubstr("smallest call: zoo.crashes_at_eight.default(f32[8]{1}+0@cpu) fill=zeros"));
}

TEST(ValidateFuzz, ASeedGivesTheSameReport) {
  const std::string arguments = "add index --fuzz 3000 --seed 5 --json";
  const CommandResult one = validate(arguments + " --jobs 1"), two = validate(arguments + " --jobs 3");
  EXPECT_EQ(one.status, 0) << one.out.substr(0, 2000);
  EXPECT_EQ(one.out, two.out);
  EXPECT_NE(one.out, validate("add index --fuzz 3000 --seed 6 --json").out);
}

class Shards : public testing::TestWithParam<int> {};

TEST_P(Shards, JoinToWhatOneRunSays) {
  const int n = GetParam();
  const std::string whole = scratch_file("whole.json", "");
  for (const std::string& what : {"--json" + plugin("zoo_ops"), "relu --fuzz 12000 --json" + std::string()}) {
    validate(what + " -o " + whole);
    std::string parts;
    for (int i = 1; i <= n; ++i) {
      const std::string part = scratch_file("part" + std::to_string(i) + ".json", "");
      EXPECT_LE(validate(what + " --shard " + std::to_string(i) + "/" + std::to_string(n) + " -o " + part).status, 1);
      parts = part + " " + parts;  // any order
    }
    EXPECT_EQ(run_shell(kProgram + " merge --json " + parts).out, read_bytes(whole)) << what;
  }
}
INSTANTIATE_TEST_SUITE_P(, Shards, testing::Values(1, 2, 3, 7));

TEST(Merge, RefusesWhatIsNoWholeRun) {
  std::string parts[3];
  for (int i = 1; i <= 3; ++i) {
    parts[i - 1] = scratch_file("third" + std::to_string(i) + ".json", "");
    validate("relu mm --json --shard " + std::to_string(i) + "/3 -o " + parts[i - 1]);
  }
  const std::string other = scratch_file("other.json", "");
  validate("relu mm --json --seed 1 --shard 2/3 -o " + other);
  const std::string add = scratch_file("other_ops.json", "");
  validate("relu add --json --shard 2/3 -o " + add);
  const std::string text = scratch_file("report.txt", "validate: 1 ops\n");
  const std::string whole = read_bytes(parts[1]);
  const std::string cut = scratch_file("cut.json", whole.substr(0, whole.size() / 2));
  const auto with_shard = [&](const char* name, const char* shard) {
    std::string renamed = whole;
    renamed.replace(renamed.find("2/3"), 3, shard);
    return scratch_file(name, renamed);
  };
  nlohmann::ordered_json stopped = nlohmann::ordered_json::parse(whole);
  stopped["run"]["interrupted"] = true;
  const std::string interrupted = scratch_file("interrupted.json", stopped.dump());
  const std::string newer = scratch_file("newer.json", R"({"format":2,"command":"validate"})");
  const std::string strange = scratch_file("strange.json", R"({"format":1,"command":"crosscheck"})");
  const std::pair<std::string, const char*> bad[] = {
      {parts[0] + " " + parts[1], "shard 3/3 is missing"},
      {parts[0] + " " + parts[0] + " " + parts[2], "shard 1/3 is there twice"},
      {parts[0] + " " + other + " " + parts[2], "shards 1/3 and 2/3 are of different runs: seed 0 and 1"},
      {parts[0] + " " + add + " " + parts[2], "shards 1/3 and 2/3 are of different runs: "},
      {parts[0] + " " + cut + " " + parts[2], "cut.json: no JSON report of ersatz validate"},
      {parts[0] + " " + with_shard("nine.json", "9/3") + " " + parts[2], "nine.json: shard 9/3 is none: like 1/4"},
      {parts[0] + " " + with_shard("half.json", "2/2") + " " + parts[2], "a run is cut into one number of parts"},
      {parts[0] + " " + interrupted + " " + parts[2], "interrupted.json: a run that was interrupted"},
      {text, "no JSON report of ersatz validate"},
      {newer, "format 2 of reports; this ersatz reads 1"},
      {strange, "a report of ersatz crosscheck, not of validate"},
      {"/nowhere.json", "/nowhere.json"},
  };
  for (const auto& [files, words] : bad) {
    const CommandResult r = run_shell(kProgram + " merge " + files);
    EXPECT_EQ(r.status, 2) << files;
    EXPECT_THAT(r.out, HasSubstr(words));
    EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), 1) << r.out;
  }
}

/// Runs the line of docs/jobs/validate.md that begins with `tool` and runs shards on one machine.
void run_the_page_s_line(const std::string& tool) {
  const std::string page = read_bytes(ERSATZ_SOURCE_DIR "/docs/jobs/validate.md");
  const size_t at = page.find("\n" + tool);
  ASSERT_NE(at, std::string::npos) << tool;
  const std::string line = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
  const std::string folder = scratch_file(tool + "/.here", "");
  const std::string run = "cd " + folder.substr(0, folder.size() - 6) + " && PATH=" ERSATZ_BINARY_DIR "/bin:$PATH && ";
  const CommandResult made = run_shell(run + "cp " + kLib + "zoo_ops.so my_ops.so; " + line);
  const CommandResult merged = run_shell(run + "ersatz merge part*.json");
  EXPECT_EQ(merged.status, 1) << made.out << merged.out;
  EXPECT_THAT(merged.out, HasSubstr("validate: 9 ops, ")) << made.out;
}

TEST(ValidatePage, ItsXargsLineRunsShardsThatMerge) { run_the_page_s_line("seq"); }

TEST(ValidatePage, ItsParallelLineRunsShardsThatMerge) {
  if (run_shell("command -v parallel").status != 0) GTEST_SKIP() << "no GNU parallel here";
  run_the_page_s_line("parallel");
}

TEST(ValidateRefusedOp, MisfitOpIsFindingAndOthersAreJudged) {
  const CommandResult r = validate(plugin("misfit_ops"));
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_THAT(
      r.out,
      HasSubstr("misfit_ops.so: left out: the cpu kernel of misfit.pair.default gives 1 result, its schema has 2"));
  EXPECT_THAT(
      r.out,
      HasSubstr("finding: misfit.pair.default: error\n  expected: functions that take and give what the schema says\n"
                "  found:    the cpu kernel of misfit.pair.default gives 1 result"));
  EXPECT_THAT(r.out, HasSubstr("\nmisfit.op.default: "));
  EXPECT_EQ(validate("misfit::op" + plugin("misfit_ops")).out.find("finding: misfit.pair"), std::string::npos);
}

}  // namespace
}  // namespace ersatz::tools

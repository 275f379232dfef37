// Plugins on the command line: fallback, crashes, plugins that a program names, and runs that stop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/tools/command_line.h"
#include "tools/command/command.h"

namespace ersatz::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kDemo = ERSATZ_BINARY_DIR "/lib/demo_ops.so";
const std::string kFaulty = ERSATZ_BINARY_DIR "/lib/faulty_ops.so";

std::string top_pairs() {
  return scratch_file("top_pairs.txt",
                      "graph(%x: f32[3,4]):\n"
                      "  %y: f32[3,4] = aten.relu.default(%x)\n"
                      "  %v: tensor, %i: tensor = demo.top_pairs.default(%y, 2) {name=\"pairs\"}\n"
                      "  return %v, %i\n");
}

std::string one_call(const std::string& op) {
  return scratch_file(op + ".txt", "graph(%x: f32[3]):\n  %y: tensor = faulty." + op +
                                       ".default(%x) {name=\"culprit\"}\n  return %y\n");
}

TEST(PluginCommand, FallbackZerosAnswersForOpWithoutRule) {
  const CommandResult r = run_command({"fake", top_pairs(), "--plugin", kDemo, "--fallback", "zeros", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.json()["results"][1]["meta"], "f32[3,2]{2,1}+0@cpu");
  EXPECT_EQ(r.json()["results"][2]["meta"], "i64[3,2]{2,1}+0@cpu");
}

TEST(PluginCommand, CrosscheckHoldsOpWithoutRuleAgainstItsKernel) {
  const CommandResult r = run_command({"crosscheck", top_pairs(), "--plugin", kDemo, "--json"});
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.json()["witnesses"]["kernel"], 2);
  EXPECT_EQ(r.json()["skipped"].value("unsupported", 0), 0);
}

TEST(PluginCommand, RefusedFallbackNamesTheOptionAfterEarlierResults) {
  const CommandResult r = run_command({"fake", top_pairs(), "--plugin", kDemo});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.out, HasSubstr("aten.relu.default  f32[3,4]{4,1}+0@cpu"));
  EXPECT_THAT(r.out, HasSubstr("fake: stopped after 1 of 2 nodes, 1 results"));
  EXPECT_THAT(r.err, HasSubstr("ersatz: node pairs: demo.top_pairs.default: the op has no rule"));
  EXPECT_THAT(r.err,
              HasSubstr("--fallback zeros runs the kernels of such operators on zeros; --keep-going goes on from "
                        "recorded metadata\n"));
}

TEST(PluginCommand, WriteBesideKernelsMemoryIsFinding) {
  const std::string program =
      scratch_file("beside.txt", "graph(%x: f32[3]):\n  %y: tensor = faulty.beside.default(%x, 3)\n  return %y\n");
  const CommandResult r = run_command({"crosscheck", program, "--plugin", kFaulty, "--json"});
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_EQ(r.json()["mismatched"], 1);
  EXPECT_EQ(r.json()["findings"][0]["field"], "out_of_bounds");
}

/// Runs a command line without capturing its output, because a death test reads the crash message.
void run_uncaught(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "ersatz");
  run_command_line(static_cast<int>(arguments.size()), arguments.data());
}

TEST(PluginCommand, CrashInKernelOrRuleNamesItsNode) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer answers these signals itself";
#endif
  const std::string kernel = one_call("crashes"), rule = one_call("crashing_rule");
  EXPECT_EXIT(run_uncaught({"crosscheck", kernel.c_str(), "--plugin", kFaulty.c_str()}),
              testing::KilledBySignal(SIGSEGV),
              "ersatz: crashed in node culprit \\(faulty.crashes.default\\), .*crashes.txt");
  EXPECT_EXIT(run_uncaught({"fake", rule.c_str(), "--plugin", kFaulty.c_str()}), testing::KilledBySignal(SIGSEGV),
              "ersatz: crashed in node culprit \\(faulty.crashing_rule.default\\)");
}

TEST(PluginLine, NeverLoadsCodeAndNamesPluginToPass) {
  // The program names a plugin that exits when it is loaded. The line must not load it, or this test would end.
  const std::string program =
      scratch_file("named.txt", "plugin \"" + std::string(ERSATZ_BINARY_DIR) +
                                    "/lib/deadly_plugin.so\"\nschema \"deadly::op(Tensor x) -> Tensor\"\n"
                                    "graph(%x: f32[3]):\n  %y: tensor = deadly.op.default(%x)\n  return %y\n");
  for (const char* command : {"fake", "crosscheck", "show"}) {
    const CommandResult r = run_command({command, program});
    EXPECT_EQ(r.status, std::string(command) == "show" ? 0 : 2) << r.err;
    if (std::string(command) == "show") continue;
    EXPECT_THAT(r.out, HasSubstr("1 operator is missing")) << command;
    EXPECT_THAT(r.out, HasSubstr("the program names the plugin \"" + std::string(ERSATZ_BINARY_DIR) +
                                 "/lib/deadly_plugin.so\": only --plugin loads it, which is for those who trust it"))
        << command;
  }
  const CommandResult fake = run_command({"fake", program, "--json"});
  EXPECT_THAT(fake.json()["plugins"][0], HasSubstr("deadly_plugin.so"));
}

TEST(PluginLine, ItsBytesReachTheTerminalQuoted) {
  const std::string program = scratch_file("escape.txt",
                                           "plugin \"\\x1b[2Jevil.so\"\ngraph(%x: f32[3]):\n"
                                           "  %y: tensor = nobody.has.default(%x)\n  return %y\n");
  const CommandResult r = run_command({"fake", program});
  EXPECT_THAT(r.out, HasSubstr("the program names the plugin \"\\x1b[2Jevil.so\""));
  EXPECT_THAT(r.out, Not(HasSubstr("\x1b")));
}

TEST(FakeStops, DataDependentNodeEndsRunAfterEarlierResults) {
  const std::string program = scratch_file("stops.txt",
                                           "symbol u0 in [0, inf]\n"
                                           "graph(%x: f32[4,3]):\n"
                                           "  %r: f32[4,3] = aten.relu.default(%x)\n"
                                           "  %n: i64[u0,2]{1,u0} = aten.nonzero.default(%r) {name=\"where\"}\n"
                                           "  return %n\n");
  const CommandResult text = run_command({"fake", program, "--static"});
  EXPECT_EQ(text.status, 2);
  EXPECT_THAT(text.out, HasSubstr("r     aten.relu.default  f32[4,3]{3,1}+0@cpu\n"));
  EXPECT_THAT(text.out, HasSubstr("fake: stopped after 1 of 2 nodes, 1 results"));
  EXPECT_THAT(text.err, HasSubstr("ersatz: node where: nonzero: the size of the result depends on data"));
  const nlohmann::json report = run_command({"fake", program, "--static", "--json"}).json();
  EXPECT_EQ(report["status"], "unusable");
  EXPECT_EQ(report["results"].size(), 1u);
  EXPECT_THAT(report["error"].get<std::string>(), HasSubstr("node where: nonzero: "));
}

TEST(KeepGoing, AnswersRecordedSymbolsWhereSizesDependOnData) {
  const std::string program = scratch_file("goes_on.txt",
                                           "symbol u0 in [0, inf]\nsymbol s0 in [2, 64] hint 4\n"
                                           "graph(%x: f32[s0,3]):\n"
                                           "  %n: i64[u0,2]{1,u0} = aten.nonzero.default(%x)\n"
                                           "  %t: i64[2,u0]{u0,1} ~%n = aten.t.default(%n)\n"
                                           "  %d: i64[u0,2]{1,u0} = aten.add.Tensor(%n, %n)\n"
                                           "  %k: i64[s0,2] = aten.new_zeros.default(%n, [4, 2])\n"
                                           "  return %t, %d, %k\n");
  const CommandResult r = run_command({"fake", program, "--static", "--keep-going", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  const nlohmann::json report = r.json();
  EXPECT_EQ(report["refused"]["aten.nonzero.default"], 1);
  EXPECT_EQ(report["results"][0]["meta"], "i64[u0,2]{1,u0}+0@cpu");
  EXPECT_EQ(report["results"][1]["meta"], "i64[2,u0]{u0,1}+0@cpu");
  EXPECT_EQ(report["results"][2]["meta"], "i64[u0,2]{1,u0}+0@cpu");
  EXPECT_EQ(report["results"][3]["meta"], "i64[4,2]{2,1}+0@cpu");
  EXPECT_EQ(report["unsized"], 3);
  EXPECT_THAT(run_command({"fake", program, "--static", "--keep-going"}).out,
              HasSubstr("and what 3 results of unknown size take"));
}

TEST(KeepGoing, DataDependentSizeHasItsExample) {
  const std::string program = scratch_file("hinted.txt",
                                           "symbol u0 in [0, inf] hint 5\n"
                                           "graph(%x: f32[4,3]):\n"
                                           "  %n: i64[u0,2]{1,u0} = aten.nonzero.default(%x)\n  return %n\n");
  const CommandResult r = run_command({"fake", program, "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.json()["results"][0]["meta"], "i64[u0,2]{1,u0}+0@cpu");
  EXPECT_EQ(r.json()["results"][0]["at_hints"], "i64[5,2]{1,5}+0@cpu");
  const CommandResult fixed = run_command({"fake", program, "--static", "--keep-going", "--json"});
  EXPECT_EQ(fixed.json()["results"][0]["meta"], "i64[5,2]{1,5}+0@cpu");
}

}  // namespace
}  // namespace ersatz::tools

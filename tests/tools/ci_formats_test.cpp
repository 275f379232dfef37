// The SARIF and JUnit forms of a report have all required members, and each finding has its place in them.
#include "tools/output/ci_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

std::string mlp_facts() { return std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/mlp/facts.json"; }

/// Arguments of a crosscheck of mlp with a wrong stride of tanh.
std::vector<std::string> wrong_stride(const std::string& format) {
  std::string facts = read_bytes(mlp_facts());
  const std::string right = R"("value": "tanh", "real": "f32[4,32]{32,1}+0@cpu")";
  const size_t at = facts.find(right);
  if (at != facts.npos) facts.replace(at, right.size(), R"("value": "tanh", "real": "f32[4,32]{1,4}+0@cpu")");
  return {"crosscheck", committed_program("mlp"), "--facts", scratch_file("ci_facts.json", facts), "--format", format};
}

/// Expects the required members and enumerations of the SARIF 2.1.0 schema.
void expect_sarif(const Json& log) {
  EXPECT_EQ(log.at("version"), "2.1.0");
  EXPECT_THAT(log.at("$schema").get<std::string>(), EndsWith("sarif-2.1.0.json"));
  for (const Json& run : log.at("runs")) {
    const Json& driver = run.at("tool").at("driver");
    EXPECT_EQ(driver.at("name"), "ersatz");
    for (const Json& rule : driver.at("rules")) {
      EXPECT_FALSE(rule.at("id").get<std::string>().empty());
      EXPECT_FALSE(rule.at("shortDescription").at("text").get<std::string>().empty());
    }
    for (const Json& invocation : run.at("invocations")) {
      EXPECT_TRUE(invocation.at("executionSuccessful").is_boolean());
      EXPECT_TRUE(invocation.at("exitCode").is_number_integer());
    }
    for (const Json& result : run.at("results")) {
      EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
      EXPECT_EQ(driver.at("rules").at(result.at("ruleIndex").get<size_t>()).at("id"), result.at("ruleId"));
      EXPECT_EQ(result.at("level"), result.at("ruleId") == "unjudged" ? "note" : "error");
      for (const Json& location : result.at("locations")) {
        if (!location.contains("physicalLocation")) continue;
        const Json& physical = location["physicalLocation"];
        EXPECT_EQ(physical.at("artifactLocation").at("uri").get<std::string>().find(' '), std::string::npos);
        if (physical.contains("region")) {
          EXPECT_GE(physical["region"].at("startLine").get<int>(), 1);
        }
      }
    }
  }
}

TEST(Sarif, RecordedFindingIsAtUsersLineIfKnown) {
  const auto place = [](const std::string& at) {
    const std::string record =
        R"({"format":2,"id":"a, b","op":"mylib.mix.default","args":[{"t":"f32[2]{1}+0@cpu","s":0,"n":8}],"kwargs":{},)"
        R"("out":[{"t":"f32[3]{1}+0@cpu","s":1,"n":12}],"fake":{"out":[{"t":"f32[2]{1}+0@cpu","s":1,"n":8}]},)"
        R"("schema":"mylib::mix(Tensor x) -> Tensor")" +
        at + "}\n";
    const CommandResult r = run_command({"validate", scratch_file("ci run.jsonl", record), "--format", "sarif"});
    EXPECT_EQ(r.status, 1) << r.out << r.err;
    expect_sarif(r.json());
    return r.json()["runs"][0]["results"].at(0)["locations"].at(0);
  };
  const Json user = place(R"(,"at":"/home/a/train.py:10 in f: y = x")");
  EXPECT_EQ(user["physicalLocation"]["artifactLocation"]["uri"], "file:///home/a/train.py");
  EXPECT_EQ(user["physicalLocation"]["region"]["startLine"], 10);
  const Json record = place("");
  EXPECT_THAT(record["physicalLocation"]["artifactLocation"]["uri"].get<std::string>(), EndsWith("ci%20run.jsonl"));
  EXPECT_EQ(record["physicalLocation"]["region"]["startLine"], 1);
}

TEST(Sarif, FindingOfPluginsSampleIsInNoFile) {
  Json report = {{"command", "validate"}, {"input", "--plugin ./x.so"}, {"status", "findings"}};
  report["findings"] = {{{"op", "x.f.default"}, {"field", "size"}, {"source", ""}, {"first", "sample 0, permuted"}}};
  const Json log = Json::parse(sarif_text(report));
  EXPECT_FALSE(log["runs"][0]["results"][0]["locations"][0].contains("physicalLocation"));
}

TEST(Sarif, FindingIsResultAtModelsLine) {
  const CommandResult r = run_command(wrong_stride("sarif"));
  EXPECT_EQ(r.status, 1) << r.err;
  const Json log = Json::parse(r.out);
  expect_sarif(log);
  const Json& run = log["runs"][0];
  EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
  ASSERT_EQ(run["results"].size(), 1u) << r.out;
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "stride");
  EXPECT_THAT(result["message"]["text"].get<std::string>(), StartsWith("tanh = aten.tanh.default, result 0: stride: "));
  const Json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "own_models.py");
  EXPECT_EQ(place["region"]["startLine"], 18);
  EXPECT_EQ(result["properties"]["witness"], "eager");
}

TEST(Sarif, ACleanRunHasNoResults) {
  const CommandResult r = run_command({"crosscheck", committed_program("mlp"), "--format=sarif"});
  EXPECT_EQ(r.status, 0) << r.err;
  const Json log = Json::parse(r.out);
  expect_sarif(log);
  EXPECT_TRUE(log["runs"][0]["results"].empty());
  EXPECT_EQ(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

TEST(Sarif, FindingOfRecordedCallIsAtRecordsLine) {
  const std::string good =
      R"({"id":"r/1","op":"aten.relu.default","args":[{"t":"f32[1]{1}+0@cpu","s":0,"n":4}],"kwargs":{},)"
      R"("out":[{"t":"f32[1]{1}+0@cpu","s":1,"n":4}]})"
      "\n";
  std::string bad = good;
  bad.replace(bad.find("r/1"), 3, "r/2").replace(bad.rfind("f32[1]"), 3, "i32");
  const std::string file = scratch_file("a folder/calls.jsonl", good + bad);
  const Json log = Json::parse(run_command({"crosscheck", file, "--format", "sarif"}).out);
  expect_sarif(log);
  const Json& place = log["runs"][0]["results"].at(0)["locations"][0]["physicalLocation"];
  EXPECT_THAT(place["artifactLocation"]["uri"].get<std::string>(), StartsWith("file:///"));
  EXPECT_THAT(place["artifactLocation"]["uri"].get<std::string>(), EndsWith("/a%20folder/calls.jsonl"));
  EXPECT_EQ(place["region"]["startLine"], 2);
}

TEST(Sarif, AFindingOfPropagateSaysWhatItIs) {
  const std::string program = scratch_file(
      "ci_log.txt",
      "graph(%x: f32[3]):\n  %y: f32[3] = aten.log.default(%x) {at=\"train.py:7 in f: log(x)\"}\n  return %y\n");
  const CommandResult r = run_command({"propagate", program, "--inputs", "zeros", "--format", "sarif"});
  EXPECT_EQ(r.status, 1) << r.out << r.err;
  expect_sarif(r.json());
  const Json result = r.json()["runs"][0]["results"].at(0);
  EXPECT_THAT(result["message"]["text"].get<std::string>(),
              StartsWith("y (aten.log.default): inf: 3 of 3 elements of its result are Inf"));
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "train.py");
  EXPECT_EQ(result["properties"], Json({{"node", "y"}, {"op", "aten.log.default"}}));
  EXPECT_THAT(run_command({"propagate", program, "--inputs", "zeros", "--format", "junit"}).out,
              HasSubstr("message=\"y (aten.log.default): inf: 3 of 3 elements"));
}

TEST(Sarif, NothingComparedIsANotification) {
  const std::string silent =
      scratch_file("ci_silent.txt", "graph(%x: f32[3]):\n  %y: tensor = aten.relu.default(%x)\n  return %y\n");
  const CommandResult r = run_command({"crosscheck", silent, "--format", "sarif"});
  EXPECT_EQ(r.status, 1) << r.err;
  const Json log = r.json();
  expect_sarif(log);
  EXPECT_EQ(log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "nothing was compared");
}

const Json kUnjudged = {
    {"command", "crosscheck"},   {"input", "x"},
    {"status", "unjudged"},      {"not_clean", "2 calls of mylib.foo.default were not judged"},
    {"findings", Json::array()}, {"own", {{"judged", 0}, {"known", 0}, {"unjudged", {{"mylib.foo.default", 2}}}}}};

TEST(Sarif, AnOperatorThatNothingJudgedIsANote) {
  const Json log = Json::parse(sarif_text(kUnjudged));
  expect_sarif(log);
  const Json& run = log["runs"][0];
  EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
  ASSERT_EQ(run["results"].size(), 1u);
  EXPECT_EQ(run["results"][0]["level"], "note");
  EXPECT_THAT(run["results"][0]["message"]["text"].get<std::string>(),
              StartsWith("2 calls of mylib.foo.default not judged"));
}

TEST(JUnit, UnjudgedOperatorIsSkippedAndTheCommandFails) {
  const std::string text = junit_text(kUnjudged);
  EXPECT_THAT(text,
              HasSubstr("name=\"mylib.foo.default\">\n   <skipped message=\"2 calls of mylib.foo.default not judged"));
  EXPECT_THAT(text, HasSubstr("<failure type=\"findings\" message=\"2 calls of mylib.foo.default were not judged\"/>"));
}

TEST(JUnit, AFindingFailsTheCaseOfItsOperator) {
  const CommandResult r = run_command(wrong_stride("junit"));
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_THAT(r.out, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ersatz\" tests=\"7\" "
                                "failures=\"1\" errors=\"0\">\n"))
      << r.out;
  EXPECT_THAT(r.out, HasSubstr("name=\"aten.tanh.default\">\n   <failure type=\"stride\" message=\"tanh = aten.tanh"));
  EXPECT_THAT(r.out, HasSubstr("name=\"aten.relu.default\"/>\n"));
  EXPECT_THAT(r.out, EndsWith(" </testsuite>\n</testsuites>\n"));
}

TEST(JUnit, SkipsMissingOperatorsAndFailsOnUnusableInput) {
  const std::string program =
      scratch_file("nobody.txt", "graph(%x: f32[3]):\n  %y: f32[3] = nobody.has.default(%x)\n  return %y\n");
  const CommandResult r = run_command({"crosscheck", program, "--format", "junit"});
  EXPECT_EQ(r.status, 2) << r.err;
  EXPECT_THAT(r.out, HasSubstr("tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(r.out, HasSubstr("<skipped message=\"the operator is missing (1 calls)\"/>"));
  EXPECT_THAT(r.out, HasSubstr("<error message=\"the input cannot be used as it is: operators are missing\"/>"));
}

TEST(JUnit, UnusedWaiverFailsCaseOfCommand) {
  const std::string unused = scratch_file("ci_waivers", "aten.tanh.default stride nobody knows\n");
  const CommandResult r =
      run_command({"crosscheck", committed_program("mlp"), "--waivers", unused, "--format", "junit"});
  EXPECT_EQ(r.status, 1) << r.err;
  EXPECT_THAT(r.out, HasSubstr("name=\"ersatz crosscheck\">\n   <failure type=\"findings\" message=\"a row of waivers "
                               "is unused or has expired\"/>"));
}

TEST(JUnit, NamesOfHostileFilesStayText) {
  const Json report = {{"command", "crosscheck"},
                       {"input", "<&\">\x01\xff.txt"},
                       {"status", "findings"},
                       {"findings", Json::array({{{"op", "a<b>.c"}, {"field", "stride"}, {"words", "]]>"}}})}};
  const std::string text = junit_text(report);
  EXPECT_THAT(text, HasSubstr("<testsuite name=\"ersatz crosscheck &lt;&amp;&quot;&gt;?\xef\xbf\xbd.txt\""));
  EXPECT_THAT(text, HasSubstr("name=\"a&lt;b&gt;.c\""));
  EXPECT_EQ(text.find("]]>"), std::string::npos);
}

TEST(JUnit, IsWellFormed) {
  if (std::system("command -v xmllint >/dev/null") != 0) GTEST_SKIP() << "xmllint is not here";
  const std::string file = scratch_file("junit.xml", run_command(wrong_stride("junit")).out);
  EXPECT_EQ(std::system(("xmllint --noout '" + file + "'").c_str()), 0) << read_bytes(file);
}

TEST(Formats, AreOneChoice) {
  EXPECT_EQ(run_command({"fake", committed_program("mlp"), "--json", "--format", "sarif"}).status, 2);
  EXPECT_EQ(run_command({"fake", committed_program("mlp"), "--format", "yaml"}).status, 2);
  EXPECT_EQ(run_command({"fake", committed_program("mlp"), "--format", "json"}).out,
            run_command({"fake", committed_program("mlp"), "--json"}).out);
}

}  // namespace
}  // namespace ersatz::tools

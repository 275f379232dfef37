// Sessions: counters, timings, run records, messages logged once, the debug directory and the failing call.
#include "tools/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runtime/base/log.h"
#include "tests/tools/command_line.h"
#include "tools/output/table.h"
#include "tools/session/repeat_filter.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

// DBG-01: seconds add up for each frame and phase; `phases` sums over all frames
TEST(Timings, PhasesAddUpOverFrames) {
  Timings t;
  t.add_phase(1, "load", 0.25);
  t.add_phase(1, "run", 1);
  t.add_phase(1, "run", 0.5);
  t.add_phase(2, "run", 2);
  EXPECT_EQ(t.phase(1, "run"), 1.5);
  EXPECT_EQ(t.phase(2, "load"), 0);
  EXPECT_THAT(t.phases(), ElementsAre(Pair("load", 0.25), Pair("run", 3.5)));
}

// DBG-01: the line of phases has five decimals
TEST(Timings, TheLineHasFiveDecimals) {
  Timings t;
  t.add_phase(1, "load", 0.123456);
  t.add_phase(1, "run", 2);
  EXPECT_EQ(t.line(), "TIMING: load:0.12346 run:2.00000");
}

// DBG-02: each call adds a duration to its function and to the phase of the current frame
TEST(TimedCall, AddsADurationAndToThePhase) {
  Session session;
  const SessionScope scope(session);
  session.begin_frame("p");
  for (int i = 0; i < 2; ++i) TimedCall timed("space::f", "run");
  ASSERT_THAT(session.timings.functions(), ElementsAre(Pair("space::f", SizeIs(2))));
  const std::vector<double>& durations = session.timings.functions()[0].second;
  EXPECT_DOUBLE_EQ(session.timings.phase(1, "run"), durations[0] + durations[1]);
}

// DBG-02: a call that throws adds no duration, and its exception passes through
TEST(TimedCall, AddsNothingWhereAnErrorLeaves) {
  Session session;
  const SessionScope scope(session);
  const auto f = [] {
    const TimedCall timed("f", "run");
    throw std::runtime_error("no");
  };
  EXPECT_THROW(f(), std::runtime_error);
  EXPECT_TRUE(session.timings.functions().empty());
  EXPECT_TRUE(session.timings.phases().empty());
}

TEST(TimedCall, OutsideOfASessionCountsNothing) {
  ASSERT_EQ(Session::current(), nullptr);
  EXPECT_NO_THROW(TimedCall("f", "run"));
}

// DBG-03: the text has four decimals, summed or listed; the CSV has six, in a row of names and a row of values
TEST(Timings, ReportsAsTextAndCsv) {
  Timings t;
  t.add_call("load", 0.5);
  t.add_call("run", 1.25);
  t.add_call("run", 0.75);
  EXPECT_EQ(t.text(),
            "ersatz session metrics:\n"
            "Function  Runtimes (s)\n"
            "--------  ------------\n"
            "load      0.5000\n"
            "run       2.0000\n");
  EXPECT_THAT(t.text(true), HasSubstr("run       1.2500, 0.7500\n"));
  EXPECT_EQ(t.csv(), "load,run\n0.500000,2.000000\n");
}

// DBG-04: `begin_frame` counts frames and `count_ops` adds n operators; `reset` removes counts and seconds
TEST(Session, CountsFramesAndOps) {
  Session session;
  session.begin_frame("a");
  session.begin_frame("b");
  EXPECT_EQ(session.frames(), 2);
  session.count_ops(3);
  session.count_ops(4);
  EXPECT_EQ(session.ops(), 7);
  session.add_call("f", "run", 1);
  session.reset();
  EXPECT_EQ(session.frames(), 0);
  EXPECT_TRUE(session.timings.functions().empty());
  EXPECT_TRUE(session.timings.phases().empty());
}

// DBG-05: the counters of a group start at 0, and can be read and cleared
TEST(Session, CountersHaveGroupsAndNames) {
  Session session;
  EXPECT_EQ(session.counters["graphs"]["run"], 0);
  session.counters["graphs"]["run"] += 2;
  EXPECT_EQ(session.counters["graphs"]["run"], 2);
  EXPECT_EQ(session.counters["others"]["run"], 0);
  session.counters.clear();
  EXPECT_EQ(session.counters["graphs"]["run"], 0);
}

// DBG-06: a table prints as columns under a header, or as lines of CSV
TEST(Table, IsAlignedOrSeparatedByCommas) {
  Table t({"Name", "Count"});
  t.add({"relu", "12"});
  t.add({"a, \"b\"", "3"});
  EXPECT_EQ(t.text(),
            "Name    Count\n"
            "------  -----\n"
            "relu    12\n"
            "a, \"b\"  3\n");
  EXPECT_EQ(t.csv(), "Name,Count\nrelu,12\n\"a, \"\"b\"\"\",3\n");
}

// DBG-07: `add` is true only for the first use of a key, or always if verbose; `reset` forgets the keys
TEST(RepeatFilter, TakesAKeyOnce) {
  RepeatFilter filter;
  EXPECT_TRUE(filter.add("a"));
  EXPECT_FALSE(filter.add("a"));
  filter.reset();
  EXPECT_TRUE(filter.add("a"));
  RepeatFilter verbose(true);
  EXPECT_TRUE(verbose.add("a"));
  EXPECT_TRUE(verbose.add("a"));
}

// DBG-07: the filter keeps 4096 keys, and drops the least recently used one
TEST(RepeatFilter, ForgetsTheKeyThatWasUsedLongestAgo) {
  RepeatFilter filter;
  for (int i = 0; i < 4096; ++i) filter.add(std::to_string(i));
  EXPECT_FALSE(filter.add("0"));  // key 0 is used again, so now key 1 is the oldest
  EXPECT_TRUE(filter.add("new"));
  EXPECT_FALSE(filter.add("0"));
  EXPECT_TRUE(filter.add("1"));
}

/// The log text that `f` writes.
template <class F>
std::string logged_by(const F& f) {
  const std::string path = scratch_file("log/by.log", "");
  {
    const LogFile file(path);
    f();
  }
  return read_bytes(path);
}

// DBG-08: each message is logged once in a process
TEST(WarnOnce, WritesEachMessageOnce) {
  const std::string text = logged_by([] {
    for (int i = 0; i < 2; ++i) {
      warn_once("one of warn_once");
      warn_once("another of warn_once");
    }
  });
  EXPECT_THAT(text, MatchesRegex("[^\n]*one of warn_once\n[^\n]*another of warn_once\n"));
}

// DBG-09: a process has one debug folder for each root, named after its time and pid
TEST(DebugDirectory, IsOneAProcessAndRoot) {
  const std::string path = debug_directory("/some/root");
  EXPECT_THAT(path, MatchesRegex("/some/root/run_[0-9]{4}(_[0-9]{2}){5}_[0-9]{6}-pid_[0-9]+"));
  EXPECT_THAT(path, testing::EndsWith(fmt::format("-pid_{}", ::getpid())));
  EXPECT_EQ(debug_directory("/some/root"), path);
  EXPECT_NE(debug_directory("/other/root"), path);
}

// DBG-10: a LogFile gets the messages that are logged while it exists, and no others
TEST(LogFile, TakesTheLogWhileItLives) {
  const std::string path = scratch_file("log/one.log", "");
  log().info("before");
  {
    const LogFile file(path);
    log().debug("inside {}", 1);
  }
  log().info("after");
  EXPECT_THAT(read_bytes(path), HasSubstr("[ersatz debug] inside 1\n"));
  EXPECT_THAT(read_bytes(path), Not(HasSubstr("before")));
  EXPECT_THAT(read_bytes(path), Not(HasSubstr("after")));
  EXPECT_FALSE(log().writes(LogLevel::Error));
}

std::string folder_named_by(const std::string& root) {
  for (const auto& entry : std::filesystem::directory_iterator(root)) return entry.path().string();
  return "";
}

// DBG-10: ERSATZ_DEBUG switches debug folders on and ERSATZ_LOG_FILE names a log; without them nothing is written
TEST(DebugDirectory, IsSwitchedOnByTheEnvironment) {
  const std::string root = scratch_file("env_root/x", ""), log_file = scratch_file("env.log", "");
  const std::string folder = root.substr(0, root.size() - 2) + "/debug";
  const std::vector<std::string> words = {"fake", committed_program("mlp"), "-o", "/dev/null"};
  EXPECT_EQ(run_program(words, "", {"ERSATZ_DEBUG=0", "ERSATZ_DEBUG_DIR=" + folder}).status, 0);
  EXPECT_FALSE(std::filesystem::exists(folder));
  const CommandResult r =
      run_program(words, "", {"ERSATZ_DEBUG=1", "ERSATZ_DEBUG_DIR=" + folder, "ERSATZ_LOG_FILE=" + log_file});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.err, "");
  const std::string text = read_bytes(folder_named_by(folder) + "/debug.log");
  EXPECT_THAT(text, HasSubstr("run {\"id\":1,\"name\":"));
  EXPECT_THAT(read_bytes(log_file), HasSubstr("run {\"id\":1,\"name\":"));
}

// DBG-14: 64 records are kept and the oldest are dropped; a smaller limit drops the oldest at once
TEST(RunRecords, KeepTheLastOnes) {
  RunRecords records;
  for (int i = 0; i < 70; ++i) records.add({.id = i});
  EXPECT_EQ(records.snapshot().size(), 64u);
  EXPECT_EQ(records.snapshot().front().id, 6);
  records.set_limit(2);
  ASSERT_EQ(records.snapshot().size(), 2u);
  EXPECT_EQ(records.snapshot().front().id, 68);
  records.clear();
  EXPECT_TRUE(records.snapshot().empty());
}

// DBG-14: each record is logged as an event, with sets written as lists
TEST(RunRecords, AreEventsInTheLog) {
  RunRecords records;
  const auto add = [&] {
    records.add({.id = 3, .name = "p", .op_set = {"b", "a"}, .failure_kind = "NotSupported", .failure_reason = "no"});
  };
  EXPECT_THAT(logged_by(add),
              HasSubstr(R"(run {"id":3,"name":"p","graphs":0,"nodes":0,"inputs":0,"guards":0,"ops":0,"seconds":0.0,)"
                        R"("op_set":["a","b"],"failure":{"kind":"NotSupported","reason":"no","place":""}})"
                        "\n"));
}

}  // namespace
}  // namespace ersatz::tools

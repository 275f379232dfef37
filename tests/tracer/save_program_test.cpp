// Programs that are saved as .pt2 archives: loading one gives an equal program.
#include "tracer/pt2/save_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runtime/base/error.h"
#include "tests/tracer/program_paths.h"
#include "tracer/pt2/program_file.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

namespace fs = std::filesystem;

/// A test with a folder of its own.
class SaveProgram : public testing::Test {
 protected:
  SaveProgram() : folder_(fs::path(testing::TempDir()) / ("ersatz_save_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~SaveProgram() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }

  /// Saves and loads the program. Returns the first difference, empty if there is none.
  std::string round_trip(const Program& p) {
    const std::string file = path("written.pt2");
    save_program(file, p);
    std::string why;
    return same_program(p, load_program(file), &why) ? "" : why;
  }
  std::string round_trip(std::string_view text) { return round_trip(parse_program_text(text, path("p.txt"))); }

  /// Returns why saving the program is refused. Checks that no file is left.
  std::string refusal(std::string_view text) {
    const Program p = parse_program_text(text, "p.txt");
    try {
      save_program(path("refused.pt2"), p);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::NotSupported);
      EXPECT_TRUE(fs::is_empty(folder_));
      return e.message;
    }
    return "nothing";
  }

  fs::path folder_;
};

TEST_F(SaveProgram, KeepsWhereTracedNodesComeFrom) {
  EXPECT_EQ(
      round_trip("ersatz program 2\nfunction \"Net\"\nsteals \"x\"\nmodule 0 \"\" \"Net\"\n"
                 "module 1 \"layers.0\" \"Linear\" in 0\n"
                 "graph(%x: f32[2,2], %w: f32[2,2]):\n"
                 "  %t: f32[2,2]{1,2} = aten.t.default(%w) {in=1, of=aten.linear.default, call=aten.linear.default 2}\n"
                 "  %mm: f32[2,2] = aten.mm.default(%x, %t) {in=1}\n"
                 "  %relu: f32[2,2] = aten.relu.default(%mm) {in=0}\n"
                 "  return %relu\n"),
      "");
}

/// Returns every `.pt2` file and model.json in the folder.
std::vector<std::string> archives_below(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& e : fs::directory_iterator(folder)) {
    if (e.path().extension() == ".pt2") found.push_back(e.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST_F(SaveProgram, CommittedProgramsComeBackFromTheirArchives) {
  const auto folders = program_folders(fs::path(ERSATZ_SOURCE_DIR) / "tests" / "programs");
  ASSERT_GE(folders.size(), 5u);
  for (const std::string& folder : folders) EXPECT_EQ(round_trip(load_program(program_in(folder))), "") << folder;
}

TEST_F(SaveProgram, AllDataProgramsRoundTripThroughArchives) {
  if (data_folder().empty()) GTEST_SKIP() << "ERSATZ_DATA is not set: 102 programs not tried";
  std::vector<std::string> programs;
  for (const std::string& folder : program_folders(data_folder() / "programs")) programs.push_back(program_in(folder));
  ASSERT_EQ(programs.size(), 80u);
  const std::vector<std::string> traces = archives_below(data_folder() / "traces");
  ASSERT_EQ(traces.size(), 22u);
  programs.insert(programs.end(), traces.begin(), traces.end());
  for (const std::string& program : programs) {
    try {
      EXPECT_EQ(round_trip(load_program(program)), "") << program;
    } catch (const Error& e) {
      ADD_FAILURE() << program << ": " << e.message;
    }
  }
}

TEST_F(SaveProgram, ThingsOutsideTheFormatRoundTripToo) {
  EXPECT_EQ(round_trip(R"text(
producer "somebody 1"
plugin "demo.so"
schema "demo::mix(Tensor x, Tensor y) -> Tensor"
seed 7
symbol s9 in [-inf, 64] hint -3
symbol s0 in [2, 64] hint 4
symbol u0 in [0, inf]
constraint "u0+1" in [1, 9]
constraint "s0" in [3, inf]
constraint "4*s0" in [8, 256]
guard "s0 != 7" {op="aten.add.Tensor", node="y", at="f.py:3", message="why", count=2}
assert "u0 <= 20"
storage $0 40B made
storage $1 12B f32 [1, 2, 3]
storage $2 8B i64 [5]
graph(%w: f32[3]{1}+0@cpu grad = parameter "w" $0,
      %v: f32[3]{1}+4@cpu = loose_buffer "v" $0,
      %c: f32[2]{1}+1@cpu = constant "c" $1,
      %g: f32[3]{1}+0@cpu = parameter "given",
      %x: f32[s0,3]{3,1}+0@cpu = input "from" $1 as f32[1,3]{3,1}+0@cpu,
      %n: i64[]{}+0@cpu = token $2,
      %flag: bool(True) = constant_input):
  %y: c64[3]{1}+0@cpu conj ~%w = aten._conj.default(%w) {name="called", at="not of a file"}
  %z: f32[3]{1}+0@cpu neg = demo.mix.default(%w, y=%v) {at="model.py:17 in forward: h = relu(x)"}
  %e: f32[s9]{1}+0@cpu = aten.alias.default(%x) {at="a b.py:2"}
  %t: bool("(u0<=20)") = _operator.le(3, 20)
  %f: float("0.5*ToFloat(s0)") = torch.sym_float(3)
  return input_mutation "x" %y, loss %z, %e, 3, None, %t)text"),
            "");
}

TEST_F(SaveProgram, LiteralsOfEveryKindComeBack) {
  EXPECT_EQ(round_trip(R"text(
graph(%x: f32[2]{1}+0@cpu, %i: int(4), %f: float(0.5), %b: bool(True)):
  %y: f32[2]{1}+0@cpu = demo.all.default(None, True, -9223372036854775808, 9223372036854775807, 2.0, inf, -inf, nan, (1+2j),
      "t\"\\\n", f32, bf16, cpu, cuda, cuda:1, meta, strided, channels_last, contiguous, preserve, [], [1, 2], [1.0, nan],
      [True], ["a"], [None, None], [[1], [2, 3]], [[1.0], [2.0, 3.0]], [%x, %x], [%x, None], [1, %i], [%f, 1.0], [%b, False],
      [[%x], [%x, %x]], {"k": %x, "j": [1]}, &aten.add.Tensor)
  return %y)text"),
            "");
}

TEST_F(SaveProgram, GraphThatTwoNodesHoldIsOneAgain) {
  EXPECT_EQ(round_trip(R"text(
graph @g single(%a: f32[2]{1}+0@cpu):
  return %a
graph(%x: f32[2]{1}+0@cpu):
  (%y: f32[2]{1}+0@cpu) = higher_order.wrap(@g, %x)
  %z: f32[2]{1}+0@cpu = higher_order.wrap(@g, %y)
  return %z)text"),
            "");
}

TEST_F(SaveProgram, WeightMayHaveSymbolsForSizesInGraph) {
  EXPECT_EQ(round_trip("symbol s0 in [2, inf] hint 2 storage $0 8B f32 [1, 2] "
                       "graph(%w: f32[s0]{1}+0@cpu = parameter \"w\" $0 as f32[2]{1}+0@cpu): return %w"),
            "");
}

TEST_F(SaveProgram, NodeOfSeveralResultsHasItsOwnName) {
  const std::string_view text = R"(
graph(%x: f32[2]{1}+0@cpu):
  %a: f32[1]{1}+0@cpu, %b: i64[1]{1}+0@cpu = aten.topk.default(%x, 1)
  %c: f32[1]{1}+0@cpu, %d: i64[1]{1}+0@cpu = aten.topk.default(%x, 1) {name="a_call_1"}
  return %a, %c)";
  EXPECT_EQ(round_trip(text), "");
  const std::string json = print_pt2_json(parse_program_text(text, "p.txt"));
  EXPECT_NE(json.find(R"("metadata": {"ersatz_name": "a"}, "is_hop_single_tensor_return": null, "name": "a_call_1")"),
            std::string::npos);
  EXPECT_NE(json.find(R"("name": "a_call_1_call_1")"), std::string::npos);
}

TEST_F(SaveProgram, TheBytesAreThoseOfTheProgram) {
  const Program p = parse_program_text(R"(
storage $0 12B f32 [1, 2, 3]
graph(%w: f32[3]{1}+0@cpu = parameter "w" $0):
  return %w)",
                                       "p.txt");
  save_program(path("p.pt2"), p);
  const Program loaded = load_program(path("p.pt2"));
  const Tensor w = loaded.weights.tensor(0);
  EXPECT_EQ(std::vector<float>(w.data<float>(), w.data<float>() + 3), (std::vector<float>{1, 2, 3}));
}

TEST_F(SaveProgram, OtherBytesAreAnotherProgram) {
  const auto program = [](const char* value) {
    return parse_program_text(fmt::format("storage $0 4B f32 [{}] graph(%w: f32[1]{{1}}+0@cpu = parameter \"w\" $0): "
                                          "return %w",
                                          value),
                              "p.txt");
  };
  save_program(path("p.pt2"), program("1"));
  std::string why;
  EXPECT_FALSE(same_program(program("2"), load_program(path("p.pt2")), &why));
  EXPECT_EQ(why, "input 0: storages");
}

TEST_F(SaveProgram, NamesTheNodeThatTheFormatCannotHold) {
  const auto of_argument = [this](const std::string& argument) {
    return refusal(
        "symbol s0 in [2, 64] hint 4 graph(%x: f32[2]{1}+0@cpu, %i: int(3)): %y: f32[2]{1}+0@cpu = "
        "demo.op.default(" +
        argument + ") return %y");
  };
  EXPECT_EQ(of_argument("[1, 2.0]"), "node 'y' (demo.op.default): the format has no place for the list [1, 2.0]");
  EXPECT_EQ(of_argument("[%x, %i]"),
            "node 'y' (demo.op.default): the format has no place for a list of such different items");
  EXPECT_EQ(of_argument("{\"k\": 1, \"k\": 2}"), "node 'y' (demo.op.default): the key 'k' stands twice in a dict");
  EXPECT_EQ(of_argument("\"\\xff\""), "node 'y' (demo.op.default): the text \"\\ufffd\" is no UTF-8, which JSON needs");
}

TEST_F(SaveProgram, NamesTheValueOfWhichNothingIsRecorded) {
  EXPECT_EQ(refusal("graph(%x): return %x"), "of %x nothing is recorded, not even whether it is a tensor");
  EXPECT_EQ(refusal("graph(%x: tensor): return %x"), "of %x no metadata is recorded");
  EXPECT_EQ(refusal("graph(%x: int): return %x"), "of %x no metadata is recorded");
  EXPECT_EQ(refusal("graph(%x: bool(\"so so\")): return %x").substr(0, 35), "%x: its record is no expression: sy");
}

TEST_F(SaveProgram, NamesTheGraphThatItCannotHold) {
  const std::string main = "graph(%x: f32[2]{1}+0@cpu): return %x ";
  EXPECT_EQ(refusal(main + "graph @g(%a: f32[2]{1}+0@cpu): return %a"), "graph @g is held by no node");
  EXPECT_EQ(refusal("graph(%x: f32[2]{1}+0@cpu): %y: f32[2]{1}+0@cpu = higher_order.wrap(@g, %x) return %y "
                    "graph @g(%a: f32[2]{1}+0@cpu = buffer \"b\"): return %a"),
            "node 'y' (higher_order.wrap): graph @g: %a is no plain input");
  EXPECT_EQ(refusal("graph(%x: f32[2]{1}+0@cpu): %y: f32[2]{1}+0@cpu = higher_order.wrap(@g, %x) return %y "
                    "graph @g(%a: f32[2]{1}+0@cpu): %b: f32[2]{1}+0@cpu = higher_order.wrap(@g, %a) return %b"),
            "node 'b' (higher_order.wrap): graph @g holds itself");
}

TEST_F(SaveProgram, NamesInputWhoseBytesAreNotGraphs) {
  EXPECT_EQ(
      refusal("storage $0 12B made graph(%w: f32[2]{1}+0@cpu = parameter \"w\" $0 as f32[3]{1}+0@cpu): return %w"),
      "'w' is stored as f32[3]@cpu, and the graph takes f32[2]@cpu");
  EXPECT_EQ(refusal("storage $0 8B made storage $1 8B made graph(%a: f32[2]{1}+0@cpu = parameter \"w\" $0, "
                    "%b: f32[2]{1}+0@cpu = parameter \"w\" $1): return %a"),
            "two inputs are called 'w' and hold different bytes");
}

TEST_F(SaveProgram, FailedWriteKeepsTheOldFile) {
  const Program p = parse_program_text("graph(%x: f32[2]{1}+0@cpu): return %x", "p.txt");
  const auto refused = [&](const std::string& file) -> std::string {
    try {
      save_program(file, p);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
      return e.message;
    }
    return "nothing";
  };
  EXPECT_EQ(refused("/dev/full"), "/dev/full: cannot be written: an archive goes to a file, and this is none");
  EXPECT_EQ(refused(folder_.string()),
            folder_.string() + ": cannot be written: an archive goes to a file, and this is none");
  EXPECT_NE(refused(path("missing/p.pt2")).find("cannot be written"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SaveProgram, TheSameProgramGivesTheSameFile) {
  const Program p = load_program(committed_program("mlp"));
  save_program(path("a.pt2"), p);
  save_program(path("b.pt2"), p);
  EXPECT_EQ(read_file(path("a.pt2")), read_file(path("b.pt2")));
}

TEST_F(SaveProgram, ArgumentsOfAnUnknownOperatorKeepTheirNames) {
  const std::string json =
      R"({"graph_module": {"graph": {"inputs": [{"as_tensor": {"name": "x"}}], "outputs": [], "nodes": [{"target":
      "torch.ops.demo.mix.default", "inputs": [{"name": "left", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}], "outputs": [],
      "metadata": {}}], "tensor_values": {"x": {"dtype": 7, "sizes": [], "requires_grad": false, "device": {"type": "cpu"},
      "strides": [], "storage_offset": {"as_int": 0}, "layout": 7}}, "sym_int_values": {}, "sym_bool_values": {}}, "signature":
      {"input_specs": [{"user_input": {"arg": {"as_tensor": {"name": "x"}}}}], "output_specs": []}}, "range_constraints": {},
      "schema_version": {"major": 8, "minor": 20}})";
  EXPECT_NE(print_pt2_json(load_program_bytes(json, "p.json")).find("\"name\": \"left\""), std::string::npos);
}

/// Returns the error for a graph JSON in which `to` replaces `from`.
std::string refused_json(std::string_view text, std::string_view from, std::string_view to) {
  std::string json = print_pt2_json(parse_program_text(text, "p.txt"));
  const size_t at = json.find(from);
  if (at == json.npos) return "no such text in " + json;
  json.replace(at, from.size(), to);
  try {
    load_program_bytes(json, "p.json");
  } catch (const Error& e) {
    return e.message;
  }
  return "nothing";
}

TEST_F(SaveProgram, OurOwnKeysAreReadAsHostileText) {
  const std::string_view plain = "seed 3 graph(%x: f32[2]{1}+0@cpu, %y: f32[2]{1}+0@cpu ~%x): return %y";
  EXPECT_EQ(refused_json(plain, "\"ersatz_alias\": \"x\"", "\"ersatz_alias\": \"q\""),
            "p.json: graph_module.graph.inputs[0]: no value before this is named %q");
  EXPECT_EQ(refused_json(plain, "seed 3", "seeds 3").substr(0, 15), "p.json: ersatz:");
  const std::string_view nested = R"(
graph @g(%a: f32[2]{1}+0@cpu): return %a
graph(%x: f32[2]{1}+0@cpu):
  %y: f32[2]{1}+0@cpu = higher_order.wrap(@g, %x)
  return %y)";
  EXPECT_NE(refused_json(nested, "{\"name\": \"g\", ", "{\"ersatz_again\": true, \"name\": \"g\", ")
                .find("no graph before this is named 'g'"),
            std::string::npos);
}

}  // namespace
}  // namespace ersatz

// Exported programs traced again: the new program equals the old one, node by node.
#include <gtest/gtest.h>

#include "runtime/tensor/meta_text.h"
#include "tests/tracer/program_paths.h"
#include "tools/answer/run_options.h"
#include "tools/diff/difference.h"
#include "tools/program/program_input.h"
#include "tracer/trace/retrace.h"

namespace ersatz::tools {
namespace {

/// Traces the program on the inputs in its folder, or on synthetic ones.
Program recorded_again(const ProgramInput& input, TraceMode mode) {
  std::vector<std::string> notes;
  std::optional<InputsOutputs> given;
  if (!input.values.empty()) given = load_values(input, input.values, "inputs", /*named=*/false, notes);
  InputChoice choice;
  choice.given = given ? &*given : nullptr;
  SymbolValues symbols(input.program);
  if (given) observe_inputs(input.program, *given, symbols);
  TraceOptions options;
  options.mode = mode;
  options.keep_composites = true;
  return retrace(input.program, make_inputs(input.program, symbols, choice), options);
}

/// Differences in operators, arguments of nodes, attributes and outputs, in all graphs. Metadata are not compared.
std::string structural_differences(const Program& a, const Program& b) {
  std::string text;
  for (const Difference& d : diff_programs(a, b).differences) {
    if (d.unit == "symbol") continue;
    if (d.kind != Difference::Kind::Changed) text += fmt::format("{} {} is in one of them\n", d.unit, d.name);
    for (const FieldDifference& f : d.fields) {
      constexpr std::string_view kRecorded[] = {"dtype",  "size",  "stride", "offset",
                                                "device", "flags", "number", "alias"};
      if (std::find(std::begin(kRecorded), std::end(kRecorded), f.field) == std::end(kRecorded))
        text += fmt::format("{} {}: {} {}: {} / {}\n", d.unit, d.name, f.field, f.what, f.a, f.b);
    }
  }
  return text;
}

/// The metadata without lazy bits, which exporters do not record.
TensorMeta plain(TensorMeta meta) {
  meta.conj = meta.neg = false;
  return meta;
}

/// The plain metadata with expressions simplified by the ranges of their symbols.
TensorMeta reduced(const Program& p, const TensorMeta& of) {
  TensorMeta meta = plain(of);
  const auto reduce = [&](SymInt& v) {
    if (v.is_symbolic()) v = p.env->reduced(v);
  };
  for (SymInt& v : meta.sizes) reduce(v);
  for (SymInt& v : meta.strides) reduce(v);
  reduce(meta.offset);
  return meta;
}

/// Results whose metadata differ from the record, or from the facts if these contradict the record. Ignored are strides
/// that do not matter (`cosmetic`) and expressions without a value in the facts' run (`unresolved`).
std::string metadata_differences(const Program& a, const Program& b, const Facts& facts) {
  std::string text;
  for (NodeId i = 0; i < a.main().nodes.size(); ++i) {
    const std::vector<ValueId> left = result_values(a, a.main().nodes[i]), right = result_values(b, b.main().nodes[i]);
    for (size_t k = 0; k < left.size(); ++k) {
      if (left[k] == kNone) continue;
      const GraphValue &v = a.main().values[left[k]], &w = b.main().values[right.at(k)];
      const TensorMeta *recorded = a.meta(v), *now = b.meta(w);
      if (!recorded || !now) continue;
      const ResultFact* fact = facts.find_value(a.name(v.name));
      const std::string_view verdict = fact && fact->real ? std::string_view(fact->verdict) : "equal";
      if (verdict == "unresolved") continue;
      const bool wrong = verdict.starts_with("significant");
      const auto same = [&](const TensorMeta& x) { return to_string(plain(x)) == to_string(plain(*now)); };
      const bool as_recorded = same(*recorded) || to_string(reduced(a, *recorded)) == to_string(reduced(b, *now));
      if (!wrong && as_recorded) continue;
      if ((wrong || verdict == "cosmetic") && same(*fact->real)) continue;
      text +=
          fmt::format("%{}: {} / {}\n", a.name(v.name), to_string(wrong ? *fact->real : *recorded), to_string(*now));
    }
  }
  return text;
}

void expect_same_again(const std::string& folder, TraceMode mode, bool with_metadata = true) {
  SCOPED_TRACE(fmt::format("{} {}", folder, name(mode)));
  const ProgramInput input = load_input(program_in(folder), 0);
  const Program again = recorded_again(input, mode);
  // The program is loaded again, because a real run may have written buffers of `input`.
  const Program before = load_program(program_in(folder));
  const std::string structure = structural_differences(before, again);
  EXPECT_EQ(structure, "");
  if (!structure.empty() || !with_metadata) return;
  const Facts facts = input.facts.empty() ? Facts() : Facts::load(input.facts);
  EXPECT_EQ(metadata_differences(before, again, facts), "");
}

TEST(Retrace, CommittedProgramsAreRecordedAsTheyAre) {
  const auto folders = program_folders(std::filesystem::path(ERSATZ_SOURCE_DIR) / "tests" / "programs");
  ASSERT_GE(folders.size(), 5u);
  for (const std::string& folder : folders) {
    const bool symbols = !load_input(program_in(folder), 0).program.env->symbols().empty();
    if (symbols) {
      // Sizes that are computed with floats are spelled differently in the trace, and arange uses an example size.
      expect_same_again(folder, TraceMode::Symbolic, /*with_metadata=*/!folder.ends_with("scaled_sizes"));
    } else {
      for (const TraceMode mode : {TraceMode::Real, TraceMode::Fake}) expect_same_again(folder, mode);
    }
  }
}

TEST(Retrace, DataFolderProgramsAreRecordedUnchanged) {
  if (data_folder().empty()) GTEST_SKIP() << "ERSATZ_DATA is not set: the programs below own/ are not tried";
  load_plugins({std::string(ERSATZ_BINARY_DIR) + "/lib/demo_ops.so"});
  const auto folders = program_folders(data_folder() / "programs" / "own");
  int tried = 0;
  for (const std::string& folder : folders) {
    // The program's gradient of attention reads memory out of bounds (docs/deviations.md).
    if (folder.ends_with("training_step_gpt")) continue;
    const bool symbols = !load_input(program_in(folder), 0).program.env->symbols().empty();
    for (const TraceMode mode : {TraceMode::Real, TraceMode::Fake, TraceMode::Symbolic}) {
      if (symbols != (mode == TraceMode::Symbolic)) continue;
      try {
        expect_same_again(folder, mode);
      } catch (const Error& e) {
        ADD_FAILURE() << folder << ": " << e.message;
      }
      ++tried;
    }
  }
  EXPECT_GE(tried, 90);
}

}  // namespace
}  // namespace ersatz::tools

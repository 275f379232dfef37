// `ersatz explain` on recorded error texts, compared with the known answers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/tools/explained_texts.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

std::string artefacts() {
  const char* set = std::getenv("ERSATZ_DATA");
  const std::string data = set ? set : ERSATZ_DATA;
  return data.empty() ? "" : data + "/artefacts";
}

json truth_of(const fs::path& folder) { return json::parse(read_bytes(folder / "truth.json")); }

std::vector<fs::path> truths(const std::string& kind) {
  std::vector<fs::path> folders;
  for (const fs::directory_entry& e : fs::directory_iterator(artefacts() + "/" + kind)) {
    if (fs::exists(e.path() / "truth.json")) folders.push_back(e.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// The value at this key, or null. For a missing key, operator[] of a const object is undefined.
json part(const json& object, const std::string& key) { return object.value(key, json()); }

std::string text_of(const json& j) { return j.is_string() ? j.get<std::string>() : ""; }

/// True if both names are equal, or equal except that one has no overload.
bool same_op(const std::string& a, const std::string& b) { return a.starts_with(b) || b.starts_with(a); }

json as_words(const json& numbers) {
  json words = json::array();
  for (const json& n : numbers) words.push_back(n.is_number() ? std::to_string(n.get<int64_t>()) : text_of(n));
  return words;
}

TEST(RecordedTexts, Assertions) {
  if (artefacts().empty() || !fs::exists(artefacts() + "/asserts")) GTEST_SKIP() << "no recorded texts";
  for (const fs::path& folder : truths("asserts")) {
    const json truth = truth_of(folder);
    std::vector<std::string> files = {folder / "exception.txt"};
    for (const fs::directory_entry& e : fs::directory_iterator(folder)) {
      const std::string name = e.path().filename();
      if (name.starts_with("output_code") || name.starts_with("graph")) files.push_back(e.path());
    }
    const json alone = first({files[0]}), all = first(files);
    ASSERT_TRUE(alone.is_object() && all.is_object()) << folder;
    const std::string name = folder.filename(), op = text_of(part(truth, "op"));
    for (const json& answer : {alone, all}) {
      const std::string summary = part(answer, "summary");
      if (part(truth, "wrong_fake") == false) {
        EXPECT_EQ(part(answer, "fake_wrong"), false) << name;
        EXPECT_EQ(part(answer, "asserted")["is"], "input") << name;
      } else {
        EXPECT_TRUE(same_op(text_of(part(answer, "op")), op)) << name << ": " << summary;
        EXPECT_NE(part(answer, "fake_wrong"), false) << name;
      }
      if (text_of(part(truth, "buffer")) == "an op's result") {
        EXPECT_EQ(part(answer, "fake_wrong"), true) << name;
        EXPECT_EQ(part(answer, "verdict"), "fake_kernel") << name;
      }
      const std::string field = text_of(part(truth, "field"));
      const std::string expected = field == "alignment" || field.starts_with("storage offset") ? "offset"
                                   : field.starts_with("size")                                 ? "size"
                                                                                               : field;
      EXPECT_EQ(part(answer, "field"), expected) << name;
    }
    if (text_of(part(truth, "buffer")) == "an op's result")
      EXPECT_EQ(part(all, "result"), part(truth, "result")) << name;
    const std::string side = truth.contains("fake") ? "fake" : "expected";
    const std::string lists = part(truth, "field") == "stride" ? "strides" : "sizes";
    if (part(truth, side).is_array() && part(truth, "field") != "rank") {
      EXPECT_EQ(part(all, "expected")[lists], as_words(part(truth, side))) << name;
      EXPECT_EQ(part(all, "actual")[lists], as_words(part(truth, "real"))) << name;
    }
  }
}

TEST(RecordedTexts, Opcheck) {
  if (artefacts().empty() || !fs::exists(artefacts() + "/opcheck")) GTEST_SKIP() << "no recorded texts";
  for (const fs::path& folder : truths("opcheck")) {
    const json truth = truth_of(folder);
    const std::string name = folder.filename(), field = text_of(part(truth, "field")), op = text_of(part(truth, "op"));
    const auto begins = [&](const char* words) { return field.starts_with(words); };
    std::string verdict = "fake_kernel";
    if (part(truth, "field").is_null()) verdict = part(truth, "opcheck").is_null() ? "nothing_found" : "checker_limit";
    if (begins("alias") || begins("argument 0 is written")) verdict = "schema";
    if (begins("no fake")) verdict = "no_fake_kernel";
    if (begins("the fake needs")) verdict = "fake_reads_data";
    if (begins("the fake's signature")) verdict = "fake_signature";
    if (begins("an autograd formula")) verdict = "autograd";
    if (part(truth, "opcheck").is_null() && part(truth, "crossref").is_null()) verdict = "nothing_found";
    if (text_of(truth.value("note", json())).find("backward") != std::string::npos) verdict = "backward";
    const std::vector<std::string> files = {folder / "opcheck.txt", folder / "opcheck_all.txt",
                                            folder / "crossref.txt"};
    for (const std::string& file : files) {
      const json answer = first({file});
      if (answer.is_null()) {
        EXPECT_EQ(read_bytes(file).substr(0, 6), "passed") << file;
        continue;
      }
      const bool passed =
          file.ends_with("crossref.txt") ? part(truth, "crossref").is_null() : part(truth, "opcheck").is_null();
      EXPECT_EQ(part(answer, "verdict"), passed ? "nothing_found" : verdict) << file << ": " << part(answer, "summary");
      if (!text_of(part(answer, "op")).empty() && verdict != "backward")
        EXPECT_TRUE(same_op(part(answer, "op"), op)) << file;
    }
    const json all = first({files[0], files[2]});
    EXPECT_EQ(part(all, "verdict"), verdict) << name;
    if (verdict == "fake_kernel") {
      EXPECT_TRUE(same_op(part(all, "op"), op)) << name;
      EXPECT_EQ(part(all, "result"), part(truth, "result")) << name;
      EXPECT_EQ(part(all, "field"), part(truth, "field")) << name;
    }
    const bool accused = part(all, "fake_wrong") == true;
    const bool faulty = verdict.starts_with("fake_") || verdict == "backward";
    EXPECT_EQ(accused, faulty) << name;
  }
}

TEST(RecordedTexts, ExportErrors) {
  if (artefacts().empty() || !fs::exists(artefacts() + "/export_errors")) GTEST_SKIP() << "no recorded texts";
  for (const fs::path& folder : truths("export_errors")) {
    const json truth = truth_of(folder);
    const std::string name = folder.filename();
    for (const char* strictness : {"nonstrict", "strict"}) {
      const json answer = first({folder / fmt::format("error_{}.txt", strictness)});
      ASSERT_TRUE(answer.is_object()) << name;
      const std::string raised = text_of(part(truth, strictness)),
                        line = text_of(part(truth, fmt::format("{}_line", strictness)));
      EXPECT_NE(part(answer, "fake_wrong"), true) << name;
      const std::string verdict = part(answer, "verdict");
      if (raised.empty()) {
        EXPECT_EQ(verdict, "nothing_found") << name;
        continue;
      }
      if (line.starts_with("Constraints violated")) EXPECT_EQ(verdict, "dynamic_dim") << name;
      const std::string expression = text_of(part(truth, "expression"));
      const bool of_bool = text_of(part(truth, "fix")).find("torch.cond") != std::string::npos;
      if (line.find("data-dependent") != std::string::npos || line.starts_with("Data-dependent")) {
        EXPECT_EQ(verdict, of_bool ? "tensor_branch" : "data_dependent") << name;
        ASSERT_TRUE(part(answer, "place").is_object()) << name;
        if (line.find("> 64") == std::string::npos) {  // a later line fails first in strict mode
          EXPECT_EQ(part(part(answer, "place"), "line"), part(truth, "line_number")) << name;
        }
        // The fix of the known answer is among the suggestions.
        std::string next;
        for (const json& way : part(answer, "next")) next += text_of(way) + "\n";
        const std::string fix = text_of(part(truth, "fix"));
        for (const char* word : {"torch.where", "while_loop", "torch._check", "item()"}) {
          if (fix.find(word) == std::string::npos ||
              (std::string(word) == "item()" && fix.find("in place of item") != std::string::npos))
            continue;
          if (line.find("> 64") != std::string::npos && std::string(word) == "item()") continue;
          EXPECT_THAT(next, HasSubstr(word)) << name << " " << strictness << ": " << part(answer, "summary");
        }
      }
      if (text_of(part(truth, "fix")) == "torch.library.register_fake") {
        EXPECT_EQ(verdict, "no_fake_kernel") << name;
        EXPECT_TRUE(same_op(part(answer, "op"), part(truth, "op"))) << name;
      }
      if (!expression.empty() && truth.contains("expression_printed") && std::string(strictness) == "nonstrict") {
        EXPECT_EQ(part(answer, "expression"), part(truth, "expression_printed")) << name;
      }
    }
    const json draft = first({folder / "draft_report.txt"});
    ASSERT_TRUE(draft.is_object()) << name;
    if (name == "wrong_fake_kernel") {
      EXPECT_EQ(part(draft, "verdict"), "fake_kernel");
      EXPECT_TRUE(same_op(part(draft, "op"), part(truth, "op")));
    } else {
      EXPECT_NE(part(draft, "fake_wrong"), true) << name;
      if (part(draft, "place").is_object())
        EXPECT_EQ(part(part(draft, "place"), "line"), part(truth, "line_number")) << name;
    }
  }
}

TEST(RecordedTexts, LogsAndGraphsAreNoErrors) {
  if (artefacts().empty() || !fs::exists(artefacts() + "/readable")) GTEST_SKIP() << "no recorded texts";
  size_t looked = 0;
  for (const char* folder : {"readable", "torch_logs", "malformed", "runnable"}) {
    for (const fs::directory_entry& e : fs::directory_iterator(artefacts() + "/" + folder)) {
      if (!e.is_regular_file()) continue;
      ++looked;
      for (const json& answer : answers({e.path()})) {
        EXPECT_EQ(part(answer, "verdict"), "nothing_found") << e.path() << ": " << part(answer, "summary");
      }
    }
  }
  EXPECT_GT(looked, 100u);
}

}  // namespace
}  // namespace ersatz::tools

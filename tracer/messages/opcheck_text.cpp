#include "tracer/messages/opcheck_text.h"

#include <algorithm>

#include "tracer/messages/python_text.h"

namespace ersatz {

namespace {

constexpr size_t kMaxTests = 1000;

std::string without_hint(std::string_view error) {
  error = trimmed(error.substr(0, error.find("(scroll up for stack trace)")));
  return std::string(error);
}

class Tests {
 public:
  void add(std::string_view name, std::string_view outcome, size_t at) {
    if (!name.starts_with("test_") || name.size() > 64 || found_.size() == kMaxTests) return;
    OpcheckTest test{std::string(name), false, without_hint(outcome), at};
    test.passed = test.error == "SUCCESS";
    if (test.passed) test.error.clear();
    const auto same = std::find_if(found_.begin(), found_.end(), [&](const OpcheckTest& t) { return t.name == name; });
    if (same == found_.end()) {
      found_.push_back(std::move(test));
    } else if (same->passed) {
      *same = std::move(test);
    }
  }

  /// Parses `{'test_schema': 'SUCCESS', 'test_faketensor': MetadataMismatchError("...")}`.
  void add_dict(std::string_view line, size_t at) {
    for (size_t key = line.find("'test_"); key != line.npos;) {
      const size_t end = line.find("': ", key + 1);
      if (end == line.npos) return;
      const size_t next = line.find(", 'test_", end);
      std::string_view value = line.substr(end + 3, next == line.npos ? next : next - end - 3);
      if (next == line.npos) value = value.substr(0, value.rfind('}'));
      add(line.substr(key + 1, end - key - 1), unquoted(value).value_or(std::string(value)), at);
      key = next == line.npos ? next : next + 2;
    }
  }

  std::vector<OpcheckTest> take() { return std::move(found_); }

 private:
  std::vector<OpcheckTest> found_;
};

}  // namespace

std::vector<OpcheckTest> opcheck_tests(const std::vector<std::string>& lines) {
  Tests tests;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (const auto said = behind(line, "opcheck(op, ...): ")) {
      const std::string_view name = leading_word(*said);
      const auto error = behind(*said, " failed with");
      const bool below = error && trimmed(*error).empty() && i + 1 < lines.size();
      if (error) tests.add(name, below ? std::string_view(lines[i + 1]) : *error, i);
    } else if (line.find("{'test_") != line.npos) {
      tests.add_dict(line, i);
    } else if (line.starts_with("test_")) {
      const std::string_view name = leading_word(line);
      if (line.substr(name.size()).starts_with(": ")) tests.add(name, line.substr(name.size() + 2), i);
    }
  }
  return tests.take();
}

}  // namespace ersatz

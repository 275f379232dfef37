// Puts one error into a derivative formula: does a gradient check fail? A formula is text that is parsed at its first
// use. The test changes the text in place, checks it like GradCheck, and restores it. ERSATZ_ROW_MUTANTS_SEED=SEED
// draws
// other errors. ERSATZ_ROW_MUTANTS=N draws N (0: all, with a line for each error that was not found).
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <regex>

#include "runtime/autograd/derivative.h"
#include "runtime/op/registry.h"
#include "tests/ops/grad_check.h"

namespace ersatz {
namespace {

struct RowMutant {
  OpEntry* op;
  std::string text, change;
};

/// True if the statement at this position gives a zero gradient or none, so that a change of it has no effect.
bool is_nothing(const std::string& text, size_t at) {
  const size_t from = at == 0 || text[at] == ';' ? at : text.rfind(';', at);
  const size_t begin = from == std::string::npos ? 0 : from + 1;
  const std::string statement = text.substr(begin, text.find(';', begin + 1) - begin);
  return std::regex_search(statement, std::regex(R"(= (zeros_like\(|not_implemented\(|refused)|results = )"));
}

void replace_each(OpEntry* op, const std::string& text, const char* pattern,
                  const std::function<std::string(const std::smatch&)>& change, std::vector<RowMutant>& found) {
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    const std::string changed = change(*at);
    if (changed == at->str() || is_nothing(text, static_cast<size_t>(at->position()))) continue;
    if (text.substr(0, static_cast<size_t>(at->position())).ends_with("new_zeros(")) continue;  // it only gives a dtype
    std::string broken = text;
    broken.replace(static_cast<size_t>(at->position()), static_cast<size_t>(at->length()), changed);
    found.push_back({op, broken, fmt::format("`{}` to `{}` at {}", at->str(), changed, at->position())});
  }
}

/// All mutants of a row: a changed sign, operator, comparison, bool or number, a dropped conjugate, a doubled gradient,
/// or one argument or result in place of another.
std::vector<RowMutant> mutants_of(OpEntry* op) {
  const std::string text(op->derivative.text);
  std::vector<RowMutant> found;
  const auto other = [](const std::smatch& m) -> std::string {
    static const std::map<std::string, std::string> others = {
        {" + ", " - "},   {" - ", " + "},   {" * ", " / "},   {" / ", " * "},  {"gt.", "lt."},    {"lt.", "gt."},
        {"ge.", "le."},   {"le.", "ge."},   {"eq.", "ne."},   {"ne.", "eq."},  {"True", "False"}, {"False", "True"},
        {"cos(", "sin("}, {"sin(", "cos("}, {"exp(", "log("}, {"log(", "exp("}};
    const auto at = others.find(m.str());
    return at == others.end() ? m.str() : at->second;
  };
  replace_each(op, text, R"( [-+*/] |\b[gl][te]\.|\b(eq|ne)\.|\bTrue\b|\bFalse\b|\b(cos|sin|exp|log)\()", other, found);
  replace_each(
      op, text, R"((^|; )\w+ = (?!refused|-|\[))", [](const std::smatch& m) { return m.str() + "-"; }, found);
  replace_each(
      op, text, R"(\bconj\()", [](const std::smatch&) { return std::string("("); }, found);
  replace_each(
      op, text, R"(\bgrad\b(?!\.))", [](const std::smatch&) { return std::string("(grad * 2)"); }, found);
  replace_each(
      op, text, R"([(, \[-]\d+(\.\d+)?(?=[\],) ]))",
      [](const std::smatch& m) { return m.str()[0] + fmt::format("{}", std::stod(m.str().substr(1)) + 1); }, found);
  // Replaces one tensor of the formula by another.
  std::vector<std::string> names;
  for (const Argument& a : op->schema.arguments) {
    if (to_string(a.type) == "Tensor") names.push_back(a.name);
  }
  names.push_back(op->schema.returns.size() > 1 ? "result0" : "result");
  for (size_t i = 0; i < names.size(); ++i) {
    for (size_t k = 0; k < names.size(); ++k) {
      // No mutant reads the result in place of an argument: a comparison is often true for both.
      if (i == k || k + 1 == names.size()) continue;
      replace_each(
          op, text, ("\\b" + names[i] + R"(\b(?! =|,? \w+ =|=|\.))").c_str(),
          [&](const std::smatch&) { return names[k]; }, found);
    }
  }
  return found;
}

/// True if the check of the changed formula fails.
bool is_noticed(const RowMutant& m) {
  const std::string_view original = m.op->derivative.text;
  const auto put = [&](std::string_view text) {
    m.op->derivative.text = text;
    m.op->resolved_derivative.store(nullptr);
  };
  put(m.text);
  // In a child process, because a broken row may crash. A crash or a hang counts as a failure.
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    bool noticed = true;
    try {
      const grad_check::Counts counts = grad_check::check(*m.op);
      noticed = !counts.failures.empty() || counts.first == 0;
    } catch (const Error&) {  // the changed text is no valid formula
    }
    _exit(noticed ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  put(original);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

uint64_t number_in(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(RowMutants, NineteenOfTwentyAreNoticed) {
  std::vector<std::vector<RowMutant>> rows;
  for (const OpEntry* op : grad_check::rows()) {
    if (op->derivative.kind != DerivativeRow::Kind::Formula || op->derivative.text == "parts") continue;
    std::vector<RowMutant> all = mutants_of(registry().find_mutable(op->name));
    if (!all.empty()) rows.push_back(std::move(all));
  }
  ASSERT_GT(rows.size(), 400u);
  const uint64_t count = number_in("ERSATZ_ROW_MUTANTS", 100);
  std::mt19937_64 random(number_in("ERSATZ_ROW_MUTANTS_SEED", 20261128));
  std::vector<RowMutant> drawn;
  if (count) {
    std::shuffle(rows.begin(), rows.end(), random);
    for (size_t i = 0; i < std::min<size_t>(count, rows.size()); ++i)
      drawn.push_back(rows[i][random() % rows[i].size()]);
  } else {
    for (const auto& row : rows) drawn.insert(drawn.end(), row.begin(), row.end());
  }
  size_t noticed = 0;
  for (const RowMutant& m : drawn) {
    if (is_noticed(m)) {
      ++noticed;
    } else {
      std::printf("unnoticed: %s %s\n", m.op->name.c_str(), m.change.c_str());
    }
  }
  std::printf("%zu of %zu mutants of rows are noticed\n", noticed, drawn.size());
  EXPECT_GE(20 * noticed, 19 * drawn.size());
}

}  // namespace
}  // namespace ersatz

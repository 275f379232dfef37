#include "tracer/messages/export_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "tracer/messages/assertion.h"
#include "tracer/messages/python_text.h"

namespace ersatz {

namespace {

using Kind = ExportIssue::Kind;

constexpr size_t kMaxIssues = 1000;

std::vector<std::string> symbols_in(std::string_view list) {
  std::vector<std::string> symbols = split_arguments(list);
  std::erase(symbols, "none");
  return symbols;
}

/// Parses `Could not guard on data-dependent expression E (unhinted: E).  (Size-like symbols: u0)`.
std::optional<ExportIssue> data_dependent(std::string_view line) {
  ExportIssue issue;
  auto said = behind(line, "Could not guard on data-dependent expression ");
  issue.kind = Kind::Guard;
  if (!said) {
    said = behind(line, "Could not extract specialized integer from data-dependent expression ");
    issue.kind = Kind::Number;
  }
  if (!said) return std::nullopt;
  issue.expression = std::string(trimmed(said->substr(0, said->find(" (unhinted: "))));
  if (const auto list = between(*said, "(Size-like symbols: ", ")")) issue.sizelike = symbols_in(*list);
  return issue;
}

std::optional<ExportIssue> no_fake(std::string_view line) {
  ExportIssue issue;
  issue.kind = Kind::NoFakeKernel;
  if (const auto op = behind(line, "UnsupportedOperatorException: ")) {
    issue.op = plain_op_name(*op);
  } else if (const auto named = behind(line, "unsupported operator: ")) {
    issue.op = plain_op_name(*named);
  } else if (const auto defined = between(line, "no fake impl registered for <CustomOpDef(", ")>")) {
    issue.op = plain_op_name(*defined);
  } else if (const size_t at = line.find(": attempted to run this operator with Meta tensors"); at != line.npos) {
    const size_t space = line.rfind(' ', at);
    issue.op =
        plain_op_name(line.substr(space == line.npos ? 0 : space + 1, at - (space == line.npos ? 0 : space + 1)));
  } else if (const size_t missing = line.find(" is missing a fake kernel implementation"); missing != line.npos) {
    issue.op = plain_op_name(line.substr(0, missing));
  }
  if (issue.op.empty()) return std::nullopt;
  return issue;
}

/// Returns NAME from `NAME = L['x'].size()[0]`.
std::string dim_name(std::string_view text) { return std::string(leading_word(trimmed(text))); }

/// Parses a line of the list under "Constraints violated".
std::optional<ExportIssue> violation(std::string_view line) {
  ExportIssue issue;
  if (const auto said = behind(line, "You marked ")) {
    const auto constant = behind(*said, "specialized it to be a constant (");
    if (!constant) return std::nullopt;
    size_t taken = 0;
    issue.kind = Kind::DimFixed;
    issue.dim = dim_name(*said);
    issue.constant = leading_integer(*constant, taken);
    return issue;
  }
  if (const auto said = behind(line, "The values of ")) {
    const size_t middle = said->find(" and ");
    if (middle == said->npos || said->find("must always be equal") == said->npos) return std::nullopt;
    issue.kind = Kind::DimsEqual;
    issue.dim = dim_name(*said);
    issue.other = dim_name(said->substr(middle + 5));
    return issue;
  }
  if (const auto said = behind(line, "Not all values of ")) {
    issue.dim = dim_name(*said);
    if (const auto constant = behind(*said, "was inferred to be a constant (")) {
      size_t taken = 0;
      issue.kind = Kind::DimFixed;
      issue.constant = leading_integer(*constant, taken);
      return issue;
    }
    if (const auto equal = behind(*said, "was inferred to be equal to ")) {
      issue.kind = Kind::DimsEqual;
      issue.other = dim_name(*equal);
      return issue;
    }
    const auto guard = behind(*said, "satisfy the generated guard ");
    if (!guard) return std::nullopt;
    issue.kind = Kind::DimGuard;
    issue.expression = std::string(trimmed(*guard));
    if (issue.expression.ends_with('.')) issue.expression.pop_back();
    return issue;
  }
  return std::nullopt;
}

bool same(const ExportIssue& a, const ExportIssue& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::DimGuard) return a.dim == b.dim;
  // Some lines give the operator with its overload, others without.
  if (a.kind == Kind::NoFakeKernel) return a.op.starts_with(b.op) || b.op.starts_with(a.op);
  return a.expression == b.expression && a.dim == b.dim && a.other == b.other && a.op == b.op;
}

/// Returns the origin of a guard's symbol, for example `x.shape[1]` if `where` has `{'s27': "L['x'].size()[1]"}`. Empty
/// if the symbol is not in `where`.
std::string source_of_symbol(std::string_view where, std::string_view symbol) {
  const auto source = between(where, fmt::format("'{}': \"L['", symbol), "\"");
  if (!source) return {};
  const size_t end = source->find("']");
  const auto dim = between(*source, ".size()[", "]");
  if (end == source->npos || !dim) return {};
  return fmt::format("{}.shape[{}]", source->substr(0, end), *dim);
}

/// Parses a guard that draft_export added: a specialized dim, two dims made equal, or another condition.
ExportIssue added_guard(std::string_view guard, std::string_view where) {
  ExportIssue issue;
  issue.kind = Kind::AddedGuard;
  for (size_t at = 0; at < guard.size();) {  // symbols are replaced by the user's names
    const std::string_view word = leading_word(guard.substr(at));
    const std::string source = word.empty() ? std::string() : source_of_symbol(where, word);
    if (issue.dim.empty()) issue.dim = source;
    issue.expression += source.empty() ? (word.empty() ? guard.substr(at, 1) : word) : std::string_view(source);
    at += std::max<size_t>(word.size(), 1);
  }
  const auto sides = guard.starts_with("Eq(") ? items_of(guard.substr(2)) : std::nullopt;
  if (!sides || sides->size() != 2) return issue;
  const std::string left = source_of_symbol(where, (*sides)[0]), right = source_of_symbol(where, (*sides)[1]);
  if (left.empty()) return issue;
  issue.dim = left;
  issue.constant = integer_in((*sides)[1]);
  if (issue.constant) issue.kind = Kind::DimFixed;
  if (!right.empty()) {
    issue.kind = Kind::DimsEqual;
    issue.other = right;
  }
  return issue;
}

/// Parses an issue in a report of draft_export.
std::optional<ExportIssue> draft_issue(const std::vector<std::string>& lines, size_t at) {
  const std::string_view line = lines[at];
  ExportIssue issue;
  if (const auto expression = between(line, "unable to evaluate the value of `", "`")) {
    issue.expression = std::string(*expression);
    issue.kind = is_python_name(issue.expression) ? Kind::Number : Kind::Guard;
    return issue;
  }
  if (const auto guard = between(line, "this guard was added: ", ", where {")) {
    return added_guard(*guard, *behind(line, ", where {"));
  }
  if (const size_t has = line.find(" has a fake kernel implementation, but it has incorrect behavior");
      has != line.npos) {
    issue.kind = Kind::WrongFakeKernel;
    issue.op = plain_op_name(line.substr(0, has));
    if (at + 1 < lines.size()) issue.mismatch = fake_mismatch(lines[at + 1]);
    if (issue.mismatch) issue.mismatch->op = issue.op;
    return issue;
  }
  return std::nullopt;
}

/// Returns the unbacked symbols of an expression: u0, zuf1.
std::set<std::string> data_symbols(std::string_view expression) {
  std::set<std::string> symbols;
  for (size_t at = 0; at < expression.size();) {
    const std::string_view word = leading_word(expression.substr(at));
    const std::string_view name = word.starts_with("zuf") ? word.substr(3)
                                  : word.starts_with('u') ? word.substr(1)
                                                          : "";
    if (integer_in(name)) symbols.emplace(word);
    at += std::max<size_t>(word.size(), 1);
  }
  return symbols;
}

/// Returns the call in a printed graph that makes the expression's symbol. It is in the first node whose annotation has
/// the symbol.
std::string source_of(const std::vector<std::string>& lines, const std::string& expression) {
  const std::set<std::string> wanted = data_symbols(expression);
  if (wanted.empty()) return {};
  for (const std::string& line : lines) {
    const auto annotation = between(line, ": \"", "\" = ");
    if (!annotation) continue;
    const std::set<std::string> has = data_symbols(*annotation);
    if (std::none_of(wanted.begin(), wanted.end(), [&](const std::string& s) { return has.contains(s); })) continue;
    const auto call = behind(line, "\" = ");
    return std::string(trimmed(call->substr(0, call->find(";  "))));
  }
  return {};
}

/// Returns the lines below `Suggested fixes:` and `insert one of the following checks`.
std::vector<std::string> suggestions(const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool checks = lines[i].find("insert one of the following checks before this call") != std::string::npos;
    if (!checks && !trimmed(lines[i]).starts_with("Suggested fixes")) continue;
    for (++i; i < lines.size() && lines[i].starts_with("  "); ++i) {
      std::string_view line = trimmed(lines[i]);
      size_t taken = 0;  // the line is numbered: 1. torch._check(...)
      if (leading_integer(line, taken) && line.substr(taken).starts_with(". ")) line.remove_prefix(taken + 2);
      if (std::find(found.begin(), found.end(), line) == found.end()) found.emplace_back(line);
    }
  }
  return found;
}

}  // namespace

std::optional<Frame> user_place(const std::vector<Frame>& frames, size_t begin, size_t before) {
  constexpr size_t kFrameLines = 4;  // most lines between two frames of one traceback: place, code, carets
  // `place`: the last user frame so far; `inside`: the last user frame of the current run of frames.
  std::optional<Frame> place, inside;
  size_t last = 0;
  for (const Frame& f : frames) {
    if (f.at < begin) continue;
    if (f.at >= before) break;
    // The frame belongs to another traceback.
    if (inside && f.at > last + kFrameLines) place = std::exchange(inside, std::nullopt);
    last = f.at;
    if (is_generated(f)) continue;
    if (is_library(f)) {
      // A user frame before a frame of torch/export/ is a caller of export, not a line of the model.
      const bool exports = f.file.find("torch/export/") != std::string::npos;
      if (inside && !exports) place = inside;
      inside.reset();
      continue;
    }
    if (f.code.find("export(") != std::string::npos) continue;
    // A "Caused by" line repeats the last frame, without the first slash of its path and without its code.
    const std::optional<Frame>& known = inside ? inside : place;
    if (known && f.code.empty() && f.line == known->line && known->file.ends_with(f.file)) continue;
    inside = f;
  }
  return inside ? inside : place;
}

std::vector<ExportIssue> export_issues(const std::vector<std::string>& lines, const std::vector<Frame>& frames) {
  std::vector<ExportIssue> found;
  bool draft = false;
  for (size_t at = 0; at < lines.size() && found.size() < kMaxIssues; ++at) {
    const std::string& line = lines[at];
    draft |= line.find("issue(s) found during export") != std::string::npos;
    std::optional<ExportIssue> issue = data_dependent(line);
    if (!issue) issue = no_fake(line);
    if (!issue) issue = violation(line);
    if (!issue) issue = draft_issue(lines, at);
    if (!issue && line.find("Data-dependent branching") != std::string::npos) {
      issue.emplace();
      issue->kind = Kind::TensorBranch;
    }
    if (!issue) continue;
    issue->at = at;
    const auto known = std::find_if(found.begin(), found.end(), [&](const ExportIssue& f) { return same(f, *issue); });
    if (known != found.end()) {
      if (issue->op.size() > known->op.size()) known->op = issue->op;
      if (issue->kind == Kind::DimGuard &&
          std::find(known->guards.begin(), known->guards.end(), issue->expression) == known->guards.end()) {
        known->guards.push_back(issue->expression);
      }
      continue;
    }
    if (issue->kind == Kind::DimGuard) issue->guards = {issue->expression};
    found.push_back(std::move(*issue));
  }
  const std::vector<std::string> suggested = suggestions(lines);
  for (size_t i = 0; i < found.size(); ++i) {
    ExportIssue& issue = found[i];
    const size_t end = draft && i + 1 < found.size() ? found[i + 1].at : lines.size();
    issue.suggested = suggested;
    // A report of draft_export gives the place after the issue. In an exception the stack may be before or after the
    // message.
    issue.place = user_place(frames, draft ? issue.at : 0, end);
    issue.source = source_of(lines, issue.expression);
    for (size_t k = issue.at; k < end; ++k) {
      if (const auto chosen = between(lines[k], "specialized to a constant (e.g. `", "`")) issue.chosen = *chosen;
    }
  }
  return found;
}

std::vector<std::string> runtime_assertions(const std::vector<std::string>& lines) {
  std::vector<std::string> found;
  for (const std::string& line : lines) {
    const auto condition = between(line, "Runtime assertion failed for expression ", " on node");
    if (condition && std::find(found.begin(), found.end(), *condition) == found.end()) found.emplace_back(*condition);
  }
  return found;
}

std::vector<std::string> operators_in(const std::vector<std::string>& lines) {
  std::set<std::string> found;
  for (const std::string& line : lines) {
    const auto call = behind(line, "= torch.ops.");
    if (!call || trimmed(line).starts_with('#')) continue;
    if (const std::string name = plain_op_name(*call); !name.empty()) found.insert(name);
  }
  return {found.begin(), found.end()};
}

}  // namespace ersatz

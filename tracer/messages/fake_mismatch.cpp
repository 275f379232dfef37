#include "tracer/messages/fake_mismatch.h"

#include <algorithm>

#include "tracer/messages/assertion.h"
#include "tracer/messages/python_text.h"

namespace ersatz {

namespace {

using Field = FakeMismatch::Field;

/// A sentence of the form `begin X and Y end`.
struct Pattern {
  Field field;
  std::string_view begin, end;
};

constexpr Pattern kPatterns[] = {
    {Field::Size, "Shapes torch.Size(", " are not equal!"},
    {Field::DType, "Dtypes ", " are not equal!"},
    {Field::Device, "Devices ", " are not equal!"},
    {Field::Stride, "Strides are ", " (mismatched at"},
    {Field::Offset, "Storage offsets are ", "!"},
    {Field::Conj, "is_conj is set to ", ""},
    {Field::Neg, "is_neg is set to ", ""},
};

std::string plain(std::string_view side) {
  side = trimmed(side);
  if (const auto inside = behind(side, "torch.Size(")) side = *inside;
  while (side.ends_with(')') && !side.starts_with('(')) side.remove_suffix(1);
  return std::string(side);
}

bool set_sides(std::string_view both, FakeMismatch& m) {
  const size_t middle = both.find(" and ");
  if (middle == both.npos) return false;
  m.real = plain(both.substr(0, middle));
  m.fake = plain(both.substr(middle + 5));
  return true;
}

/// Reads from a sentence the operator and the index of the result.
void read_subject(std::string_view line, FakeMismatch& m) {
  if (const auto op = between(line, "comparing the output of ", " on FakeTensor")) m.op = plain_op_name(*op);
  if (const auto op = behind(line, "for func: ")) m.op = plain_op_name(*op);
  const auto result = behind(line, "for output[");
  size_t taken = 0;
  if (result) m.result = leading_integer(*result, taken);
}

/// Reads the result index in `between fake tensor F and real tensor R, at output[1]..., for func: OP`. The sentence
/// prints whole tensors, so no differing field is read from it.
void read_propagation(std::string_view line, FakeMismatch& m) {
  const auto at = behind(line, ", at output");
  size_t taken = 0;
  if (at && at->starts_with('[')) m.result = leading_integer(at->substr(1), taken);
}

}  // namespace

std::optional<FakeMismatch> fake_mismatch(std::string_view line) {
  FakeMismatch m;
  m.message = std::string(trimmed(line));
  read_subject(line, m);
  for (const Pattern& p : kPatterns) {
    const auto both = p.end.empty() ? behind(line, p.begin) : between(line, p.begin, p.end);
    if (!both || !set_sides(*both, m)) continue;
    m.field = p.field;
    return m;
  }
  if (line.find("mismatched storage offset") != line.npos) {
    m.field = Field::Offset;
    return m;
  }
  if (line.find("mismatched requires_grad-ness") != line.npos) {
    m.field = Field::RequiresGrad;
    return m;
  }
  for (const std::string_view check :
       {"outputs_alias_inputs check ", "outputs_are_inputs check ", "output_alias_each_other check "}) {
    const auto sides = behind(line, check);
    if (!sides) continue;
    const size_t middle = sides->find(" != ");
    if (middle == sides->npos) continue;
    m.field = Field::Alias;
    m.fake = std::string(leading_word(*sides));
    m.real = std::string(leading_word(sides->substr(middle + 4)));
    return m;
  }
  if (line.find("Real tensor propagation found") != line.npos) {
    read_propagation(line, m);
    return m;
  }
  return std::nullopt;
}

std::vector<FakeMismatch> fake_mismatches(const std::vector<std::string>& lines) {
  std::vector<FakeMismatch> found;
  for (const std::string& line : lines) {
    std::optional<FakeMismatch> m = fake_mismatch(line);
    if (!m) continue;
    const auto same = std::find_if(found.begin(), found.end(), [&](const FakeMismatch& f) {
      return f.field == m->field && f.real == m->real && f.fake == m->fake &&
             (f.op == m->op || f.op.empty() || m->op.empty());
    });
    if (same == found.end()) {
      found.push_back(std::move(*m));
    } else if (same->op.empty()) {
      *same = std::move(*m);
    }
  }
  return found;
}

}  // namespace ersatz

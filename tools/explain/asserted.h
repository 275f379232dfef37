// The tensor of a failed assertion in Inductor's code: its name, the call that made it, and the asserted and actual
// values of the field that differs.
#pragma once

#include "tools/explain/text_facts.h"

namespace ersatz::tools {

/// Sizes and strides as text. A symbol is replaced by its number if the number is known.
struct AssertedSide {
  std::vector<std::string> sizes, strides;
  std::string dtype;

  std::string words() const {
    std::string out = fmt::format("size {}, stride {}", tuple_words(sizes), tuple_words(strides));
    return dtype.empty() ? out : out + ", " + dtype;
  }
  nlohmann::ordered_json json() const {
    return {{"sizes", sizes},
            {"strides", strides},
            {"dtype", dtype.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(dtype)}};
  }
};

/// A failed assertion, with the other texts that may have more information about it.
class Asserted {
 public:
  Asserted(const Assertion& assertion, const ReadText& text, const std::vector<ReadText>& all);

  const Assertion& said;
  const ReadText& text;
  const std::vector<ReadText>& all;
  std::optional<AssertCall> call;
  /// The text that has the assertion: all generated code, or only the assertion's call.
  const ReadText* code = nullptr;
  const MadeBuffer* buffer = nullptr;  ///< how `code` made the asserted tensor
  std::string name;                    ///< name of the asserted tensor; empty if several tensors may have failed
  std::vector<std::string> candidates;
  std::optional<AssertedSide> expected, actual;

  std::string field() const;  ///< the field that differs: `size`, `stride`, `dtype`, `rank`, `offset`
  bool is_input() const;
  /// Returns the actual and the expected value of the field that differs, for example `stride (1, 4)` and `(4, 1)`.
  std::pair<std::string, std::string> both() const;
  std::string place_words() const;  ///< `buf2 at FILE:LINE`
  /// The values that symbols had when the code was compiled.
  const SymbolNumbers& numbers() const;

 private:
  bool fits(const AssertCall& call, size_t i, const SymbolNumbers& numbers) const;
  void find_call();
  void find_code();
  void find_name();
  void set_sides();

  size_t index_ = 0;
};

/// Each function fills `out` for one kind of asserted tensor: the result of an operator, a buffer that the compiler
/// laid out, or an input.
void explain_result(const Asserted& asserted, TextAnswer& out);
void explain_compilers_buffer(const Asserted& asserted, TextAnswer& out);
void explain_input(const Asserted& asserted, TextAnswer& out);

}  // namespace ersatz::tools

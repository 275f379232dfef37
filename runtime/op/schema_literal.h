// Schemas as the sources spell them, and the arguments of a call by name.
//
//   inline constexpr Schema kFlip{"aten::flip(Tensor self, int[] dims) -> Tensor"};
//   call.meta(kFlip["self"])
//
// A name becomes a position while the compiler reads it, so that it costs a call nothing; a name that the schema has
// not is a compile error. Where one function serves several ops, `Schemas` takes the names that have one position in
// all of them. Builds with assertions check at each access that the call's op has that name there
// (`require_argument_name`, runtime/op/rule.h).
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

// Inside of templates clang 14 takes a consteval operator for an address that is asked for. It looks for the name when
// the program runs; every other compiler checks the same names while it compiles.
#if defined(__clang__) && __clang_major__ < 15
#define ERSATZ_WHEN_COMPILED constexpr
#else
#define ERSATZ_WHEN_COMPILED consteval
#endif

namespace ersatz {

/// Which argument of a call: its place in the schema. Assertions remember the name that it was found by.
class Position {
 public:
  constexpr Position(size_t index) : index_(index) {}
#ifdef NDEBUG
  constexpr Position(size_t index, std::string_view) : index_(index) {}
#else
  constexpr Position(size_t index, std::string_view name) : index_(index), name_(name) {}
  constexpr std::string_view name() const { return name_; }
#endif
  constexpr operator size_t() const { return index_; }

 private:
  size_t index_;
#ifndef NDEBUG
  std::string_view name_;
#endif
};

/// One schema, or those of a family of ops that differ in what `{}` stands for: the name of the op, of a type, of an
/// argument, or any number of arguments, behind which none can be named. Refers to its literal.
class Schema {
 public:
  consteval explicit Schema(const char* text) : text_(text) {
    if (!valid()) there_is_no_such_argument();
  }

  constexpr std::string_view text() const { return text_; }
  /// The schema of one op of a family.
  template <class... A>
  std::string with(const A&... parts) const {
    return fmt::format(fmt::runtime(text_), parts...);
  }

  /// The argument of that name.
  ERSATZ_WHEN_COMPILED Position operator[](std::string_view name) const { return Position(find(name), name); }
  /// The k-th `out=` argument of a form that is derived of this one.
  ERSATZ_WHEN_COMPILED Position out(size_t k = 0) const { return Position(count() + k); }
  constexpr size_t count() const {
    size_t n = 0;
    for (Walk w(*this); w.next();) ++n;
    return n;
  }
  /// The position at run time. REQUIRES: an argument of that name.
  constexpr size_t find(std::string_view name) const {
    size_t n = 0;
    for (Walk w(*this); w.next() && w.certain; ++n) {
      if (w.name == name) return n;
    }
    there_is_no_such_argument();
    return n;
  }

 private:
  static constexpr size_t kNone = ~size_t(0);
  /// The arguments, in order: `Tensor? weight=None` is named `weight`.
  struct Walk {
    constexpr explicit Walk(const Schema& s) : rest(s.arguments()) {}
    constexpr bool next() {
      do {
        if (rest.empty()) return false;
        int depth = 0;
        size_t end = 0, equals = kNone;
        for (; end < rest.size() && (depth > 0 || rest[end] != ','); ++end) {
          const char c = rest[end];
          depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
          if (c == '=' && depth == 0 && equals == kNone) equals = end;
        }
        std::string_view argument = rest.substr(0, equals < end ? equals : end);
        rest = end < rest.size() ? rest.substr(end + 1) : std::string_view();
        while (!argument.empty() && argument.front() == ' ') argument.remove_prefix(1);
        certain = certain && !may_be_several(argument);
        name = argument.substr(argument.rfind(' ') + 1);
      } while (name == "*");
      return true;
    }
    /// `{}` by itself, or against a type (`{}float x`): whole arguments may stand there.
    static constexpr bool may_be_several(std::string_view argument) {
      if (!argument.starts_with('{')) return false;
      const std::string_view after = argument.substr(argument.find('}') + 1);
      return after.empty() || (after[0] != ' ' && after[0] != '[' && after[0] != '?');
    }
    std::string_view rest, name;
    bool certain = true;  ///< no more arguments than were seen stand before this one, nor in its place
  };

  constexpr std::string_view arguments() const {
    const size_t open = text_.find('('), close = text_.rfind(") ->");
    return text_.substr(open + 1, close - open - 1);
  }
  constexpr bool valid() const {
    const size_t open = text_.find('('), close = text_.rfind(") ->");
    return open != text_.npos && close != text_.npos && open < close && text_.find("::") < open;
  }
  static void there_is_no_such_argument() {}  // not constexpr: that a constant needs it is the compiler's error

  std::string_view text_;
};

/// The schemas that one function serves. A name must have one position in all of them.
template <size_t n>
class Schemas {
 public:
  template <class... S>
  consteval Schemas(const S&... schemas) : schemas_{schemas...} {}

  ERSATZ_WHEN_COMPILED Position operator[](std::string_view name) const {
    const size_t at = schemas_[0].find(name);
    for (const Schema& s : schemas_) {
      if (s.find(name) != at) this_name_stands_at_different_places();
    }
    return Position(at, name);
  }

 private:
  static void this_name_stands_at_different_places() {}

  std::array<Schema, n> schemas_;
};
template <class... S>
Schemas(const S&...) -> Schemas<sizeof...(S)>;

}  // namespace ersatz

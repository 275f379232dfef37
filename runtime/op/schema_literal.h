// Schemas as string literals in the sources, and access to a call's arguments by name.
//
//   inline constexpr Schema kFlip{"aten::flip(Tensor self, int[] dims) -> Tensor"};
//   call.meta(kFlip["self"])
//
// The compiler converts a name to a position, so names cost no time at run time. A name that the schema does not have
// is a compile error. If one function serves several ops, `Schemas` accepts only names that have the same position in
// all of their schemas. Builds with assertions check at each access that the call's op has that name at that position
// (`require_argument_name`, runtime/op/rule.h).
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

// Inside templates, clang 14 treats a use of a consteval operator as taking its address. With clang 14 the name is
// therefore looked up at run time; with other compilers, at compile time.
#if defined(__clang__) && __clang_major__ < 15
#define ERSATZ_WHEN_COMPILED constexpr
#else
#define ERSATZ_WHEN_COMPILED consteval
#endif

namespace ersatz {

/// The position of an argument in the schema. Builds with assertions also store the argument's name.
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

/// One schema, or the schemas of a family of ops, which differ in the parts written `{}`. A `{}` is an op's name, a
/// type, an argument's name, or any number of arguments. An argument after a `{}` that is any number of arguments has
/// no position by name. The object keeps a pointer to its string literal.
class Schema {
 public:
  consteval explicit Schema(const char* text) : text_(text) {
    if (!valid()) there_is_no_such_argument();
  }

  constexpr std::string_view text() const { return text_; }
  /// Returns the schema of one op of the family: the text with each `{}` replaced by one of `parts`.
  template <class... A>
  std::string with(const A&... parts) const {
    return fmt::format(fmt::runtime(text_), parts...);
  }

  /// Returns the position of the argument `name`. Raises a compile error if there is none.
  ERSATZ_WHEN_COMPILED Position operator[](std::string_view name) const { return Position(find(name), name); }
  /// Returns the position of the k-th `out=` argument in the `out=` overload that is derived from this schema.
  ERSATZ_WHEN_COMPILED Position out(size_t k = 0) const { return Position(count() + k); }
  constexpr size_t count() const {
    size_t n = 0;
    for (Walk w(*this); w.next();) ++n;
    return n;
  }
  /// Like operator[], at run time. REQUIRES: the schema has an argument of that name.
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
  /// Iterates over the arguments in order. For `Tensor? weight=None`, `name` is `weight`.
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
    /// Returns true for `{}` alone or directly before a type (`{}float x`), because that `{}` may become several
    /// arguments.
    static constexpr bool may_be_several(std::string_view argument) {
      if (!argument.starts_with('{')) return false;
      const std::string_view after = argument.substr(argument.find('}') + 1);
      return after.empty() || (after[0] != ' ' && after[0] != '[' && after[0] != '?');
    }
    std::string_view rest, name;
    bool certain = true;  ///< false after a `{}` that may become several arguments: positions are unknown from there on
  };

  constexpr std::string_view arguments() const {
    const size_t open = text_.find('('), close = text_.rfind(") ->");
    return text_.substr(open + 1, close - open - 1);
  }
  constexpr bool valid() const {
    const size_t open = text_.find('('), close = text_.rfind(") ->");
    return open != text_.npos && close != text_.npos && open < close && text_.find("::") < open;
  }
  // not constexpr, so that a call in a constant expression is a compile error
  static void there_is_no_such_argument() {}

  std::string_view text_;
};

/// The schemas of several ops that one function serves. A name must have the same position in all of them.
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

// Reading big JSON texts in pieces, safely.
//
// `JsonStream` parses one text. Containers that were announced with `take` are handed over element by element and then
// dropped, so a graph of a million nodes never exists as a JSON tree. Nesting is bounded, two members of one name are
// refused, and every refusal is one InvalidArgument line with the file and the place.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ersatz {

using Json = nlohmann::json;

inline constexpr int kJsonMaxDepth = 200;

class JsonStream {
 public:
  /// `place` is the element's path (`graph.nodes[12]`); it and the element live until the call returns.
  using Sink = std::function<void(const std::string& place, std::string_view key, const Json& element)>;

  /// `file` is named in messages.
  explicit JsonStream(std::string file) : file_(std::move(file)) {}
  /// Elements of the array or members of the object at `path`, `graph_module.graph.nodes`, go to the sink.
  void take(std::string path, Sink sink) { taken_.push_back({std::move(path), std::move(sink)}); }
  /// Parses the text and returns what was not taken, with taken containers empty.
  Json parse(std::string_view text);

 private:
  friend class JsonBuilder;
  struct Taken {
    std::string path;
    Sink sink;
  };
  std::string file_;
  std::vector<Taken> taken_;
};

/// A JSON value with its whereabouts: accessors check the type and name the place when they refuse.
/// Cheap to copy; the tree must outlive it.
class JsonView {
 public:
  struct Tree {
    std::string file;   ///< for messages
    std::string place;  ///< of the root, `graph_module.graph.nodes[3]`; may be empty
    const Json* root;
  };
  explicit JsonView(const Tree& tree) : tree_(&tree), value_(tree.root) {}

  const Json& json() const { return *value_; }
  bool is_null() const { return value_->is_null(); }
  bool is_array() const { return value_->is_array(); }
  bool is_object() const { return value_->is_object(); }
  bool is_string() const { return value_->is_string(); }
  /// A member; refused if absent.
  JsonView at(std::string_view key) const;
  /// A member, or empty if absent or null.
  std::optional<JsonView> find(std::string_view key) const;
  size_t size() const;  ///< of an array (refused otherwise)
  JsonView item(size_t i) const;
  /// Calls f(key, JsonView) for each member of an object (refused otherwise).
  template <class F>
  void each_member(F&& f) const {
    require_object();
    for (auto it = value_->begin(); it != value_->end(); ++it) f(it.key(), JsonView(tree_, &it.value()));
  }
  /// The tag and payload of a union: an object with exactly one member.
  std::pair<std::string_view, JsonView> tagged() const;

  int64_t integer() const;
  uint64_t unsigned_integer() const;  ///< up to 2^64 - 1
  double number() const;              ///< also "Infinity", "-Infinity", "NaN" and integers
  bool boolean() const;
  std::string_view string() const;

  std::string where() const;  ///< `model.json: graph_module.graph.nodes[3].inputs[1].arg`
  template <class... A>
  [[noreturn]] void refuse(fmt::format_string<A...> format, const A&... values) const {
    refuse_text(fmt::vformat(format, fmt::make_format_args(values...)));
  }

 private:
  JsonView(const Tree* tree, const Json* value) : tree_(tree), value_(value) {}
  [[noreturn]] void refuse_text(const std::string& text) const;
  void require_object() const;
  const Tree* tree_;
  const Json* value_;
};

}  // namespace ersatz

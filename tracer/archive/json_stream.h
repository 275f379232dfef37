// Reads large JSON texts in pieces.
//
// `JsonStream` parses one text. `take` names a container whose elements are passed to a callback one by one and then
// dropped. So a graph of a million nodes never exists as a JSON tree. The parser refuses nesting deeper than
// `kJsonMaxDepth`, and two members of one object with one name. Every refusal is an InvalidArgument of one line with
// the file and the place.
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
  /// Gets one element. `place` is its path (`graph.nodes[12]`). `place` and `element` are valid only during the call.
  using Sink = std::function<void(const std::string& place, std::string_view key, const Json& element)>;

  /// `file` is the name for error messages.
  explicit JsonStream(std::string file) : file_(std::move(file)) {}
  /// Sends each element of the array, or each member of the object, at `path` (`graph_module.graph.nodes`) to `sink`.
  void take(std::string path, Sink sink) { taken_.push_back({std::move(path), std::move(sink)}); }
  /// Parses the text and returns the tree without the taken elements; a taken container is empty in it.
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

/// A JSON value whose accessors check its type. If the type is wrong, they RAISE InvalidArgument with the file and the
/// value's path. A view is cheap to copy; the tree must outlive it.
class JsonView {
 public:
  struct Tree {
    std::string file;   ///< file name for error messages
    std::string place;  ///< path of `root`, `graph_module.graph.nodes[3]`; may be empty
    const Json* root;
  };
  explicit JsonView(const Tree& tree) : tree_(&tree), value_(tree.root) {}

  const Json& json() const { return *value_; }
  bool is_null() const { return value_->is_null(); }
  bool is_array() const { return value_->is_array(); }
  bool is_object() const { return value_->is_object(); }
  bool is_string() const { return value_->is_string(); }
  /// Returns the member `key`. RAISES InvalidArgument if the object does not have it.
  JsonView at(std::string_view key) const;
  /// Returns the member `key`, or nullopt if it is absent or null.
  std::optional<JsonView> find(std::string_view key) const;
  size_t size() const;  ///< number of elements of an array; RAISES InvalidArgument for another value
  JsonView item(size_t i) const;
  /// Calls f(key, JsonView) for each member of an object. RAISES InvalidArgument for another value.
  template <class F>
  void each_member(F&& f) const {
    require_object();
    for (auto it = value_->begin(); it != value_->end(); ++it) f(it.key(), JsonView(tree_, &it.value()));
  }
  /// Returns tag and payload of a union, which is an object with exactly one member.
  std::pair<std::string_view, JsonView> tagged() const;

  int64_t integer() const;
  uint64_t unsigned_integer() const;  ///< from 0 to 2^64 - 1
  double number() const;              ///< accepts "Infinity", "-Infinity", "NaN" and integers too
  bool boolean() const;
  std::string_view string() const;

  std::string where() const;  ///< for example `model.json: graph_module.graph.nodes[3].inputs[1].arg`
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

#include "tracer/archive/json_stream.h"

#include "runtime/base/error.h"

namespace ersatz {

/// Receives the events of nlohmann's SAX parser. The parser has its own stack, so deeply nested JSON does not use up
/// the C++ stack.
class JsonBuilder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  explicit JsonBuilder(JsonStream& stream) : stream_(stream) {}
  Json take_root() { return std::move(root_); }

  bool null() { return scalar(Json()); }
  bool boolean(bool v) { return scalar(v); }
  bool number_integer(number_integer_t v) { return scalar(v); }
  bool number_unsigned(number_unsigned_t v) { return scalar(v); }
  bool number_float(number_float_t v, const string_t&) { return scalar(v); }
  bool string(string_t& v) { return scalar(std::move(v)); }
  bool binary(binary_t&) { return false; }
  bool start_object(size_t) { return open(Json::object()); }
  bool start_array(size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(string_t& k) {
    frames_.back().key = std::move(k);
    return true;
  }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& e) {
    std::string_view text = e.what();
    if (const size_t at = text.find("] "); at != text.npos) text.remove_prefix(at + 2);
    const std::string line(text.substr(0, 200));
    fail_argument("{}: no readable JSON: byte {}: {}", stream_.file_, position, line);
  }

 private:
  struct Frame {
    Json* node;
    std::string path;  ///< path of this container; empty inside elements that `take` sends to a callback
    std::string key;   ///< key of the member that is being read
    size_t index = 0;
    const JsonStream::Taken* taken = nullptr;
    bool inside_taken = false;
  };

  std::string place() const {
    std::string text;
    for (const Frame& f : frames_) {
      if (f.node->is_array()) {
        text += "[" + std::to_string(f.index) + "]";
      } else {
        text += (text.empty() ? "" : ".") + f.key;
      }
    }
    return text;
  }

  Json* put(Json v) {
    if (frames_.empty()) {
      root_ = std::move(v);
      return &root_;
    }
    Frame& f = frames_.back();
    if (f.taken) {
      element_ = std::move(v);
      return &element_;
    }
    if (f.node->is_array()) {
      f.node->push_back(std::move(v));
      return &f.node->back();
    }
    auto [it, fresh] = f.node->get_ref<Json::object_t&>().emplace(f.key, std::move(v));
    if (!fresh) fail_argument("{}: {}: stands there twice", stream_.file_, place());
    return &it->second;
  }

  bool scalar(Json v) {
    put(std::move(v));
    finish_element();
    return true;
  }

  bool open(Json v) {
    if (frames_.size() >= kJsonMaxDepth) {
      fail_argument("{}: nested more than {} deep at {}...", stream_.file_, kJsonMaxDepth, place().substr(0, 120));
    }
    Frame f;
    if (!frames_.empty()) {
      const Frame& parent = frames_.back();
      f.inside_taken = parent.inside_taken || parent.taken;
      if (!f.inside_taken && parent.node->is_object()) {
        f.path = parent.path.empty() ? parent.key : parent.path + "." + parent.key;
        for (const auto& t : stream_.taken_) {
          if (t.path == f.path) f.taken = &t;
        }
      } else {
        f.inside_taken = true;  // `take` accepts only containers whose path has no array index
      }
    }
    f.node = put(std::move(v));
    frames_.push_back(std::move(f));
    return true;
  }

  bool close() {
    frames_.pop_back();
    finish_element();
    return true;
  }

  void finish_element() {
    if (frames_.empty()) return;
    Frame& f = frames_.back();
    if (f.taken) f.taken->sink(place(), f.key, element_);
    ++f.index;
  }

  JsonStream& stream_;
  Json root_;
  Json element_;
  std::vector<Frame> frames_;
};

Json JsonStream::parse(std::string_view text) {
  JsonBuilder builder(*this);
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) fail_argument("{}: no readable JSON", file_);
  return builder.take_root();
}

namespace {

/// Finds the path of `target` in the tree `at` by comparing addresses. JsonView stores no path, because only error
/// messages need one.
bool find_path(const Json& at, const Json* target, std::string& path) {
  if (&at == target) return true;
  const size_t length = path.size();
  if (at.is_object()) {
    for (auto it = at.begin(); it != at.end(); ++it) {
      path += (path.empty() ? "" : ".") + it.key();
      if (find_path(it.value(), target, path)) return true;
      path.resize(length);
    }
  } else if (at.is_array()) {
    for (size_t i = 0; i < at.size(); ++i) {
      path += "[" + std::to_string(i) + "]";
      if (find_path(at[i], target, path)) return true;
      path.resize(length);
    }
  }
  return false;
}

}  // namespace

std::string JsonView::where() const {
  std::string path = tree_->place;
  if (!find_path(*tree_->root, value_, path)) path = tree_->place;
  return path.empty() ? tree_->file : tree_->file + ": " + path;
}

void JsonView::refuse_text(const std::string& text) const { fail_argument("{}: {}", where(), text); }

void JsonView::require_object() const {
  if (!value_->is_object()) refuse("an object is expected, not {}", value_->type_name());
}

JsonView JsonView::at(std::string_view key) const {
  require_object();
  auto found = value_->find(key);
  if (found == value_->end()) refuse("has no '{}'", key);
  return JsonView(tree_, &*found);
}

std::optional<JsonView> JsonView::find(std::string_view key) const {
  require_object();
  auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return JsonView(tree_, &*found);
}

size_t JsonView::size() const {
  if (!value_->is_array()) refuse("a list is expected, not {}", value_->type_name());
  return value_->size();
}

JsonView JsonView::item(size_t i) const { return JsonView(tree_, &(*value_)[i]); }

std::pair<std::string_view, JsonView> JsonView::tagged() const {
  require_object();
  if (value_->size() != 1) refuse("exactly one member is expected, there are {}", value_->size());
  auto it = value_->begin();
  return {it.key(), JsonView(tree_, &it.value())};
}

int64_t JsonView::integer() const {
  if (value_->is_number_unsigned() && value_->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) {
    refuse("{} does not fit 64 bits", value_->get<uint64_t>());
  }
  if (!value_->is_number_integer()) refuse("an integer is expected, not {}", value_->type_name());
  return value_->get<int64_t>();
}

uint64_t JsonView::unsigned_integer() const {
  if (value_->is_number_unsigned()) return value_->get<uint64_t>();
  const int64_t n = integer();
  if (n < 0) refuse("{} is negative", n);
  return static_cast<uint64_t>(n);
}

double JsonView::number() const {
  if (value_->is_string()) {
    const auto& text = value_->get_ref<const std::string&>();
    if (text == "Infinity") return std::numeric_limits<double>::infinity();
    if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  }
  if (!value_->is_number()) refuse("a number is expected, not {}", value_->type_name());
  return value_->get<double>();
}

bool JsonView::boolean() const {
  if (!value_->is_boolean()) refuse("true or false is expected, not {}", value_->type_name());
  return value_->get<bool>();
}

std::string_view JsonView::string() const {
  if (!value_->is_string()) refuse("a string is expected, not {}", value_->type_name());
  return value_->get_ref<const std::string&>();
}

}  // namespace ersatz

// Reads names, values, inputs and arguments of a graph from its text.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "tracer/pasted/fx_graph.h"
#include "tracer/pasted/torch_calls.h"

namespace ersatz::pasted {

inline constexpr size_t kMaxItems = 4096;  ///< results of one node
inline constexpr int kMaxNested = 64;      ///< depth of brackets in an argument or a result

/// The object that a name in the text refers to.
struct Entry {
  enum class Kind : uint8_t { None, Value, Items, Graph, Literal, Size, Lost };
  Kind kind = Kind::None;
  ValueId value = kNone;  ///< for Value, and for Size the tensor whose size it is
  uint32_t index = 0;     ///< for Items an index into `items_`, for Graph one into the children
  Arg literal;
};

/// The results of a node that returns several values or a list.
struct Items {
  NodeId node = 0;
  std::string name;
  bool open = false;  ///< their number is unknown: it grows with the results that the text uses
  bool list = false;  ///< they form one `Tensor[]` result
  std::vector<Entry> entries;
};

/// Shared by all graphs of a program.
struct Shared {
  Program program;
  const GraphHints* hints = nullptr;
  std::vector<Unread> unread;
  size_t nodes = 0;
  bool strides_untold = false, dtypes_untold = false;
  std::optional<Device> device;  ///< device of annotations without one
  const BodyLine* at = nullptr;  ///< the statement that is read now
  std::string reason;            ///< why `at` could not be read
  std::unordered_map<const GraphText*, uint32_t> graphs;
  std::unordered_set<std::string> bounded;  ///< symbols whose ranges `program.env` already has
};

/// Reads names, inputs and arguments, which make no nodes.
class GraphValues {
 public:
  virtual ~GraphValues() = default;

 protected:
  GraphValues(Shared& shared, Graph& graph, const GraphText& text, int depth);

  /// Returns the index in `Program::graphs` of the graph for child number `child`.
  virtual uint32_t nested_graph(uint32_t child) = 0;

  // Names and values.
  NameId unique(std::string_view wanted);
  ValueId new_value(std::string_view name, ValueKind kind, NodeId node);
  void list_unread(std::string reason) { s_.unread.push_back({line_, std::move(reason)}); }
  /// Stores the annotation's metadata in the value.
  void record(ValueId id, const Annotation& a);
  /// Declares the ranges of the expression's symbols, which must precede the computation of strides.
  void bound_symbols(const std::string& expression);
  void number(GraphValue& v, const std::string& text);
  Entry value_entry(ValueId id) const;

  // Inputs.
  ValueId add_input(std::string_view name, const Annotation& annotation);
  Entry unknown_input(std::string_view name);
  Annotation annotation_of(std::string_view text);

  // Arguments.
  Entry look_up(const std::string& name);
  std::optional<Value> constant(const std::string& name) const;
  /// Returns whether the node of an unknown operator returns one value. It does unless the text takes an item of it.
  bool is_one_value(Items& items);
  Arg entry_arg(const Entry& e);
  Arg argument(const Expr& e, int depth = 0);
  std::string place(const Expr& e) const;
  static Value integer(const std::string& digits);
  static Value real(const std::string& digits);
  Arg signed_number(const Expr& e);
  Arg attribute_argument(const Expr& e);
  /// Evaluates `device(type='cpu')`, `torch.device(...)`, `complex(0.0, 1.0)` and `float('inf')`; other calls are
  /// refused.
  Arg made_argument(const Expr& e);
  CallArgs arguments_of(const Expr& call, std::optional<Arg> first = std::nullopt);

  // Members of the module.
  /// Returns the entry of `self.true_graph_0`, `self.norm.weight` or `self._tensor_constant0`.
  Entry member(const std::string& path, std::string_view name, const Annotation& annotation);

  Shared& s_;
  Program& p_;
  Graph& g_;
  const GraphText& text_;
  int depth_;
  std::string written_;  ///< text of the statement
  uint32_t line_ = 0;
  std::unordered_map<std::string, Entry> names_, members_;
  std::unordered_map<std::string, size_t> children_;
  std::unordered_set<std::string> taken_;
  std::unordered_set<NodeId> direct_;  ///< nodes of unknown operators that return one value
  std::vector<Items> items_;
};

}  // namespace ersatz::pasted

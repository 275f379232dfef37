// Reads names, values, inputs and arguments of a graph from its text.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "tracer/pasted/fx_graph.h"
#include "tracer/pasted/torch_calls.h"

namespace ersatz::pasted {

inline constexpr size_t kMaxItems = 4096;  ///< most results of one node
inline constexpr int kMaxNested = 64;      ///< most nested brackets in an argument or a result

/// The meaning of a name in the text.
struct Entry {
  enum class Kind : uint8_t { None, Value, Items, Graph, Literal, Size, Lost };
  Kind kind = Kind::None;
  ValueId value = kNone;  ///< for Value: the value; for Size: the tensor whose size is meant
  uint32_t index = 0;     ///< for Items: an index into `items_`; for Graph: the number of a child graph
  Arg literal;
};

/// The results of a node that returns several values or a list.
struct Items {
  NodeId node = 0;
  std::string name;
  bool open = false;  ///< the number of results is unknown; it grows with each result that the text uses
  bool list = false;  ///< the results are the elements of one `Tensor[]`
  std::vector<Entry> entries;
};

/// Data that all graphs of a program share.
struct Shared {
  Program program;
  const GraphHints* hints = nullptr;
  std::vector<Unread> unread;
  size_t nodes = 0;
  bool strides_untold = false, dtypes_untold = false;
  std::optional<Device> device;  ///< the device of annotations that name none
  const BodyLine* at = nullptr;  ///< the statement that is being read
  std::string reason;            ///< why `at` could not be read
  std::unordered_map<const GraphText*, uint32_t> graphs;
  std::unordered_set<std::string> bounded;  ///< symbols whose ranges `program.env` has already
};

/// Reads names, inputs and arguments. The derived classes add the nodes.
class GraphValues {
 public:
  virtual ~GraphValues() = default;

 protected:
  GraphValues(Shared& shared, Graph& graph, const GraphText& text, int depth);

  /// Returns the index in `Program::graphs` of child graph `child`.
  virtual uint32_t nested_graph(uint32_t child) = 0;

  // Functions for names and values.
  NameId unique(std::string_view wanted);
  ValueId new_value(std::string_view name, ValueKind kind, NodeId node);
  void list_unread(std::string reason) { s_.unread.push_back({line_, std::move(reason)}); }
  /// Stores the annotation's metadata as the record of the value.
  void record(ValueId id, const Annotation& a);
  /// Declares the ranges of the symbols in an expression. It must be called before strides are computed from the
  /// expression.
  void bound_symbols(const std::string& expression);
  void number(GraphValue& v, const std::string& text);
  Entry value_entry(ValueId id) const;

  // Functions for inputs.
  ValueId add_input(std::string_view name, const Annotation& annotation);
  Entry unknown_input(std::string_view name);
  Annotation annotation_of(std::string_view text);

  // Functions for arguments.
  Entry look_up(const std::string& name);
  std::optional<Value> constant(const std::string& name) const;
  /// Returns whether the node of an unknown operator returns one value. It does, unless the text takes an item of its
  /// result.
  bool is_one_value(Items& items);
  Arg entry_arg(const Entry& e);
  Arg argument(const Expr& e, int depth = 0);
  std::string place(const Expr& e) const;
  static Value integer(const std::string& digits);
  static Value real(const std::string& digits);
  Arg signed_number(const Expr& e);
  Arg attribute_argument(const Expr& e);
  /// Evaluates `device(type='cpu')`, `torch.device(...)`, `complex(0.0, 1.0)` and `float('inf')`. RAISES
  /// InvalidArgument for other calls.
  Arg made_argument(const Expr& e);
  CallArgs arguments_of(const Expr& call, std::optional<Arg> first = std::nullopt);

  // Functions for members of the module.
  /// Returns the Entry of a member: `self.true_graph_0`, `self.norm.weight` or `self._tensor_constant0`.
  Entry member(const std::string& path, std::string_view name, const Annotation& annotation);

  Shared& s_;
  Program& p_;
  Graph& g_;
  const GraphText& text_;
  int depth_;
  std::string written_;  ///< text of the current statement
  uint32_t line_ = 0;
  std::unordered_map<std::string, Entry> names_, members_;
  std::unordered_map<std::string, size_t> children_;
  std::unordered_set<std::string> taken_;
  std::unordered_set<NodeId> direct_;  ///< nodes of unknown operators that return a single value
  std::vector<Items> items_;
};

}  // namespace ersatz::pasted

// Names, values, inputs and arguments of a graph that is being read from its text.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "tracer/pasted/fx_graph.h"
#include "tracer/pasted/torch_calls.h"

namespace ersatz::pasted {

inline constexpr size_t kMaxItems = 4096;  ///< results of one node
inline constexpr int kMaxNested = 64;      ///< brackets of an argument or a result

/// The meaning of a name.
struct Entry {
  enum class Kind : uint8_t { None, Value, Items, Graph, Literal, Size, Lost };
  Kind kind = Kind::None;
  ValueId value = kNone;  ///< of Value and Size (the tensor whose size it is)
  uint32_t index = 0;     ///< of Items: in GraphReader::items_; of Graph: among the children
  Arg literal;
};

/// Results of a node that returns several values, or a list.
struct Items {
  NodeId node = 0;
  std::string name;
  bool open = false;  ///< how many there are is not known: those that are used, and all before them
  bool list = false;  ///< they are one `Tensor[]`
  std::vector<Entry> entries;
};

/// Shared by all graphs of a program.
struct Shared {
  Program program;
  const GraphHints* hints = nullptr;
  std::vector<Unread> unread;
  size_t nodes = 0;
  bool strides_untold = false, dtypes_untold = false;
  std::optional<Device> device;  ///< of annotations that name none
  const BodyLine* at = nullptr;  ///< the statement that is being read
  std::string reason;            ///< why it could not be
  std::unordered_map<const GraphText*, uint32_t> graphs;
  std::unordered_set<std::string> bounded;  ///< symbols whose ranges are known to `program.env`
};

/// Writes the bounds and the value of the hint into the symbol.
void apply_hint(const SymbolHint& hint, SymbolInfo& symbol);

/// Reads names, inputs and arguments: the parts of a graph that make no node.
class GraphValues {
 public:
  virtual ~GraphValues() = default;

 protected:
  GraphValues(Shared& shared, Graph& graph, const GraphText& text, int depth);

  /// The number of the program's graph that the child is.
  virtual uint32_t nested_graph(uint32_t child) = 0;

  // Names and values.
  NameId unique(std::string_view wanted);
  ValueId new_value(std::string_view name, ValueKind kind, NodeId node);
  void list_unread(std::string reason) { s_.unread.push_back({line_, std::move(reason)}); }
  /// Writes into the value what its annotation says.
  void record(ValueId id, const Annotation& a);
  /// Gives the expression's symbols the ranges that the text has, before strides are made of them.
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
  /// A node of an unknown operator returns one value where nothing takes an item of it.
  bool is_one_value(Items& items);
  Arg entry_arg(const Entry& e);
  Arg argument(const Expr& e, int depth = 0);
  std::string place(const Expr& e) const;
  static Value integer(const std::string& digits);
  static Value real(const std::string& digits);
  Arg signed_number(const Expr& e);
  Arg attribute_argument(const Expr& e);
  /// `device(type='cpu')`, `torch.device(...)`, `complex(0.0, 1.0)`, `float('inf')`: nothing else is made.
  Arg made_argument(const Expr& e);
  CallArgs arguments_of(const Expr& call, std::optional<Arg> first = std::nullopt);

  // Members of the module.
  /// `self.true_graph_0`, `self.norm.weight`, `self._tensor_constant0`.
  Entry member(const std::string& path, std::string_view name, const Annotation& annotation);

  Shared& s_;
  Program& p_;
  Graph& g_;
  const GraphText& text_;
  int depth_;
  std::string written_;  ///< the statement
  uint32_t line_ = 0;
  std::unordered_map<std::string, Entry> names_, members_;
  std::unordered_map<std::string, size_t> children_;
  std::unordered_set<std::string> taken_;
  std::unordered_set<NodeId> direct_;  ///< nodes of unknown operators whose name is their one result
  std::vector<Items> items_;
};

}  // namespace ersatz::pasted

// Reads the nodes of a graph from its text: calls, operators and subscripts of Python.
#pragma once

#include "tracer/pasted/graph_values.h"

namespace ersatz::pasted {

class GraphNodes : public GraphValues {
 protected:
  GraphNodes(Shared& shared, Graph& graph, const GraphText& text, int depth)
      : GraphValues(shared, graph, text, depth), overloads_(p_, graph) {}

  /// Reads an expression. The last node that it makes is named `name`.
  virtual Entry expression(std::string_view name, const Expr& e, const Annotation& annotation) = 0;

  // Nodes.
  /// Adds a node of a registered or unregistered operator, and returns the entry of its results.
  Entry add_node(std::string_view name, uint32_t op, const CallArgs& args, const Annotation& annotation);
  bool compares(const ProgramOp& op) const;
  Entry items_entry(Items items);
  static ValueKind kind_of(const SchemaType& type);
  /// Returns the kind of number that `item()` gives for the tensor's dtype.
  ValueKind read_number(const Node& node) const;
  Entry known_results(std::string_view name, NodeId id, const FunctionSchema& schema, const Annotation& annotation);
  /// Returns result `index` of `max_1[0]` and gives it the name `name`.
  Entry item_of(std::string_view name, uint32_t of, int64_t index, const Annotation& annotation);
  /// Adds a node of the unknown operator `callee`, whose results have only the annotated metadata. `why` goes to
  /// `unread`.
  Entry add_unknown(std::string_view name, std::string_view callee, const CallArgs& args, const Annotation& annotation,
                    const std::string& why);
  Entry call_operator(std::string_view name, const std::string& written, CallArgs args, const Annotation& annotation);
  void list_missing(std::string_view op) { list_unread(fmt::format("{}: there is no rule of it here", op)); }
  Entry call_function(std::string_view name, const std::string& callee, const CallArgs& args,
                      const Annotation& annotation);
  Entry call_mapped(std::string_view name, std::string_view callee, std::optional<OperatorCall> call,
                    const CallArgs& args, const Annotation& annotation);
  bool is_number(const Arg& a) const;

  // Autocast regions (tracer/pasted/autocast_region.cpp). Conversions that autocast makes become nodes.
  struct AutocastRegion {
    DeviceType device = DeviceType::CPU;
    bool enabled = true;
    DType narrow = DType::BF16;
  };
  /// Reads `_enter_autocast('cpu', torch.bfloat16, True, None)`.
  void enter_autocast(const CallArgs& args);
  /// Infers a region from a result dtype that only autocast explains. A graph that was compiled inside of a region has
  /// no call that enters it.
  std::optional<AutocastRegion> untold_region(const OpEntry& op, const CallArgs& args,
                                              const Annotation& annotation) const;
  /// Returns the metadata of the tensors in `args`, or nullopt if the text lacks those of one tensor.
  std::optional<std::vector<const TensorMeta*>> tensors_of(std::span<const Arg> args) const;
  /// Returns `a` with its tensors converted to `to` as autocast would. The conversion nodes are named after `name`.
  Arg converted(const Arg& a, std::string_view name, DeviceType device, DType to);
  Entry call_in_region(std::string_view name, std::string_view callee, const OpEntry& op, CallArgs args,
                       const Annotation& annotation);
  Entry binary(std::string_view name, const Expr& e, const Annotation& annotation, bool in_place);
  Entry unary(std::string_view name, const Expr& e, const Annotation& annotation);

  // Subscripts of tensors.
  /// Returns the parts of a subscript: ints, slices, None, Ellipsis, tensors.
  static std::vector<const Expr*> index_parts(const Expr& index);
  /// Returns begin, end and step of a slice.
  std::optional<std::vector<Arg>> slice_of(const Expr& e);
  int64_t rank_of(ValueId v) const;
  /// Adds the nodes of `x[index]`, a view or a copy; the last one is named `name`. With `put` and a tensor in `index`,
  /// an index_put_ of `*put` is added in place of the copy.
  Entry subscript(std::string_view name, ValueId x, const Expr& index, const Annotation& annotation,
                  const Arg* put = nullptr);
  /// Returns whether a part of the subscript is a tensor.
  bool names_a_tensor(const Expr& index);
  Entry index(std::string_view name, const Expr& e, const Annotation& annotation);
  /// Reads `x[index] = v`, which writes into a view of x.
  void set_item(const Expr& target, const Expr& value);

  Overloads overloads_;
  NameId source_ = 0;                    ///< source line of the nodes that follow
  std::vector<AutocastRegion> regions_;  ///< open autocast regions, the innermost last
  std::unordered_set<ValueId> named_;
  std::vector<std::vector<Entry>> results_;  ///< per node
};

}  // namespace ersatz::pasted

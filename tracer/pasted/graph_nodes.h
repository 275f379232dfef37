// Makes the nodes of a graph from its text: calls, operators and subscripts of Python.
#pragma once

#include "tracer/pasted/graph_values.h"

namespace ersatz::pasted {

class GraphNodes : public GraphValues {
 protected:
  GraphNodes(Shared& shared, Graph& graph, const GraphText& text, int depth)
      : GraphValues(shared, graph, text, depth), overloads_(p_, graph) {}

  /// Adds the nodes of an expression. The last one is named `name`.
  virtual Entry expression(std::string_view name, const Expr& e, const Annotation& annotation) = 0;

  // Functions that add nodes.
  /// Adds a node of a registered or unregistered operator. Returns the Entry of its results.
  Entry add_node(std::string_view name, uint32_t op, const CallArgs& args, const Annotation& annotation);
  bool compares(const ProgramOp& op) const;
  Entry items_entry(Items items);
  static ValueKind kind_of(const SchemaType& type);
  /// Returns the kind of number that `item()` returns for the tensor's dtype.
  ValueKind read_number(const Node& node) const;
  Entry known_results(std::string_view name, NodeId id, const FunctionSchema& schema, const Annotation& annotation);
  /// Returns the Entry of one result, as in `max_1[0]`, and names it `name`.
  Entry item_of(std::string_view name, uint32_t of, int64_t index, const Annotation& annotation);
  /// Adds a node of the unknown operator `callee`. Its results have only the annotated metadata. The reason `why` is
  /// added to `unread`.
  Entry add_unknown(std::string_view name, std::string_view callee, const CallArgs& args, const Annotation& annotation,
                    const std::string& why);
  Entry call_operator(std::string_view name, const std::string& written, CallArgs args, const Annotation& annotation);
  void list_missing(std::string_view op) { list_unread(fmt::format("{}: there is no rule of it here", op)); }
  Entry call_function(std::string_view name, const std::string& callee, const CallArgs& args,
                      const Annotation& annotation);
  Entry call_mapped(std::string_view name, std::string_view callee, std::optional<OperatorCall> call,
                    const CallArgs& args, const Annotation& annotation);
  bool is_number(const Arg& a) const;

  // Functions for autocast regions (tracer/pasted/autocast_region.cpp). Conversions that autocast makes become nodes.
  struct AutocastRegion {
    DeviceType device = DeviceType::CPU;
    bool enabled = true;
    DType narrow = DType::BF16;
  };
  /// Begins a region for the arguments of `_enter_autocast('cpu', torch.bfloat16, True, None)`.
  void enter_autocast(const CallArgs& args);
  /// Infers an autocast region from a result dtype that only autocast explains. If a graph was compiled inside a
  /// region, no call in the graph enters it.
  std::optional<AutocastRegion> untold_region(const OpEntry& op, const CallArgs& args,
                                              const Annotation& annotation) const;
  /// Returns the metadata of the tensors in `args`. nullopt if the text lacks the metadata of one of them.
  std::optional<std::vector<const TensorMeta*>> tensors_of(std::span<const Arg> args) const;
  /// Returns `a` with its tensors converted to dtype `to`, as autocast converts them. The new nodes are named after
  /// `name`.
  Arg converted(const Arg& a, std::string_view name, DeviceType device, DType to);
  Entry call_in_region(std::string_view name, std::string_view callee, const OpEntry& op, CallArgs args,
                       const Annotation& annotation);
  Entry binary(std::string_view name, const Expr& e, const Annotation& annotation, bool in_place);
  Entry unary(std::string_view name, const Expr& e, const Annotation& annotation);

  // Functions for subscripts of tensors.
  /// Returns the parts of a subscript: ints, slices, None, Ellipsis, tensors.
  static std::vector<const Expr*> index_parts(const Expr& index);
  /// Returns begin, end and step of a slice.
  std::optional<std::vector<Arg>> slice_of(const Expr& e);
  int64_t rank_of(ValueId v) const;
  /// Adds the nodes of `x[index]`, which is a view or a copy. The last node is named `name`. If `put` is given and
  /// `index` has a tensor, an index_put_ of `*put` is added in place of the copy.
  Entry subscript(std::string_view name, ValueId x, const Expr& index, const Annotation& annotation,
                  const Arg* put = nullptr);
  /// Returns whether a part of the subscript is a tensor.
  bool names_a_tensor(const Expr& index);
  Entry index(std::string_view name, const Expr& e, const Annotation& annotation);
  /// Adds the nodes of `x[index] = v`, which writes into a view of x.
  void set_item(const Expr& target, const Expr& value);

  Overloads overloads_;
  NameId source_ = 0;                    ///< source line of the nodes that follow
  std::vector<AutocastRegion> regions_;  ///< open autocast regions, innermost last
  std::unordered_set<ValueId> named_;
  std::vector<std::vector<Entry>> results_;  ///< for each node, its results
};

}  // namespace ersatz::pasted

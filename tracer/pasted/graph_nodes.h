// Nodes of a graph that is being read from its text: calls, operators and subscripts of Python.
#pragma once

#include "tracer/pasted/graph_values.h"

namespace ersatz::pasted {

class GraphNodes : public GraphValues {
 protected:
  GraphNodes(Shared& shared, Graph& graph, const GraphText& text, int depth)
      : GraphValues(shared, graph, text, depth), overloads_(p_, graph) {}

  /// The value of an expression; a node that it makes gets the name.
  virtual Entry expression(std::string_view name, const Expr& e, const Annotation& annotation) = 0;

  // Nodes.
  /// Adds a node of an operator, registered or not, and returns the meaning of its name.
  Entry add_node(std::string_view name, uint32_t op, const CallArgs& args, const Annotation& annotation);
  bool compares(const ProgramOp& op) const;
  Entry items_entry(Items items);
  static ValueKind kind_of(const SchemaType& type);
  /// What `item()` gives: a number of the tensor's dtype.
  ValueKind read_number(const Node& node) const;
  Entry known_results(std::string_view name, NodeId id, const FunctionSchema& schema, const Annotation& annotation);
  /// `max_1[0]`: the result, which from now on has the name.
  Entry item_of(std::string_view name, uint32_t of, int64_t index, const Annotation& annotation);
  /// A call that is kept under its own name: nothing of it is known but what the text says.
  Entry add_unknown(std::string_view name, std::string_view callee, const CallArgs& args, const Annotation& annotation,
                    const std::string& why);
  Entry call_operator(std::string_view name, const std::string& written, CallArgs args, const Annotation& annotation);
  void list_missing(std::string_view op) { list_unread(fmt::format("{}: there is no rule of it here", op)); }
  Entry call_function(std::string_view name, const std::string& callee, const CallArgs& args,
                      const Annotation& annotation);
  Entry call_mapped(std::string_view name, std::string_view callee, std::optional<OperatorCall> call,
                    const CallArgs& args, const Annotation& annotation);
  bool is_number(const Arg& a) const;

  // Autocast regions (tracer/pasted/autocast_region.cpp): their conversions become nodes.
  struct AutocastRegion {
    DeviceType device = DeviceType::CPU;
    bool enabled = true;
    DType narrow = DType::BF16;
  };
  /// `_enter_autocast('cpu', torch.bfloat16, True, None)`
  void enter_autocast(const CallArgs& args);
  /// The region that the record tells of: a graph that was compiled in one has no call that enters it.
  std::optional<AutocastRegion> untold_region(const OpEntry& op, const CallArgs& args,
                                              const Annotation& annotation) const;
  /// The metadata of the tensors among the arguments; none where the text does not have that of one.
  std::optional<std::vector<const TensorMeta*>> tensors_of(std::span<const Arg> args) const;
  /// The argument with tensors that the region converts; the nodes that do are named after `name`.
  Arg converted(const Arg& a, std::string_view name, DeviceType device, DType to);
  Entry call_in_region(std::string_view name, std::string_view callee, const OpEntry& op, CallArgs args,
                       const Annotation& annotation);
  Entry binary(std::string_view name, const Expr& e, const Annotation& annotation, bool in_place);
  Entry unary(std::string_view name, const Expr& e, const Annotation& annotation);

  // Subscripts of tensors.
  /// The parts of a subscript: ints, slices, None, Ellipsis, tensors.
  static std::vector<const Expr*> index_parts(const Expr& index);
  /// Begin, end and step of a slice.
  std::optional<std::vector<Arg>> slice_of(const Expr& e);
  int64_t rank_of(ValueId v) const;
  /// The view, or the copy, that `x[index]` is; the last node has the name. With `put` elements that tensors name get
  /// its values in place of the copy.
  Entry subscript(std::string_view name, ValueId x, const Expr& index, const Annotation& annotation,
                  const Arg* put = nullptr);
  /// Is one of the subscript's parts a tensor?
  bool names_a_tensor(const Expr& index);
  Entry index(std::string_view name, const Expr& e, const Annotation& annotation);
  /// `x[index] = v`: a view is written.
  void set_item(const Expr& target, const Expr& value);

  Overloads overloads_;
  NameId source_ = 0;                    ///< the user's line of the nodes that follow
  std::vector<AutocastRegion> regions_;  ///< those of autocast that are open, the innermost last
  std::unordered_set<ValueId> named_;
  std::vector<std::vector<Entry>> results_;  ///< per node
};

}  // namespace ersatz::pasted

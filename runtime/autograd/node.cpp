#include "runtime/autograd/node.h"

#include <limits>

#include "runtime/base/source_line.h"
#include "runtime/tensor/live_objects.h"

namespace ersatz {

namespace {
thread_local constinit uint64_t t_next_sequence = 0;
using DyingNodes = InlineVec<GradNode*, 8>;
/// Nodes of this thread that have lost their last edge and are to be freed; null unless Edge::release() is running.
thread_local constinit DyingNodes* t_dying = nullptr;
}  // namespace

Edge::Edge(Ref<GradNode> node, uint32_t input) : node_(node.detach()), input_(input) {}

Edge::Edge(const Edge& o) : node_(o.node_), input_(o.input_) {
  if (node_) node_->retain();
}

void Edge::release(GradNode* node) noexcept {
  if (node->use_count() > 1) return node->release();
  if (t_dying) return t_dying->push_back(node);
  DyingNodes dying;
  dying.push_back(node);
  t_dying = &dying;
  while (!dying.empty()) {
    GradNode* last = dying.back();
    dying.pop_back();
    last->release();
  }
  t_dying = nullptr;
}

GradNode::GradNode() : sequence(t_next_sequence++), source(current_source_line()) {
  detail::count_live(detail::Live::Node, 1);
}
GradNode::GradNode(Leaf) : sequence(std::numeric_limits<uint64_t>::max()) { detail::count_live(detail::Live::Node, 1); }
GradNode::~GradNode() { detail::count_live(detail::Live::Node, -1); }

}  // namespace ersatz

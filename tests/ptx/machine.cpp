#include "tests/ptx/machine.h"

#include <cxxabi.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "tests/emulated_cuda/permutation.h"
#include "tests/ptx/checks.h"
#include "tests/ptx/collective.h"
#include "tests/ptx/parser.h"
#include "tests/ptx/thread.h"

namespace ersatz::ptx {
namespace {

using State = Thread::State;
using cuda_module::emulated::Permutation;

constexpr size_t kLocalStack = 16 << 10, kParameterStack = 32 << 10;
constexpr uint32_t kMostShared = 227 << 10;
constexpr uint64_t kMostRounds = 200'000'000;  ///< a block with more rounds counts as endless
constexpr int kUnwrittenShared = 0xcb;

uint64_t g_instructions = 0;  // launches do not overlap

/// Runs the threads of one block until all have ended.
class BlockRun {
 public:
  BlockRun(Block& block, std::vector<Thread>& threads, std::span<const int> order)
      : block_(block), threads_(threads), order_(order) {
    for (const int k : order) threads[static_cast<size_t>(k)].start(block, k);
  }

  void run() {
    for (uint64_t round = 0; ended_ < order_.size(); ++round) {
      bool moved = run_ready();
      moved |= finish_collectives();
      moved |= finish_barrier();
      if (!moved) throw Fault(kLaunchTimeout, "threads of a block wait for each other for ever");
      if (round > kMostRounds) throw Fault(kLaunchTimeout, "a block does not end");
    }
  }

 private:
  bool run_ready() {
    bool moved = false;
    for (const int k : order_) {
      Thread& t = threads_[static_cast<size_t>(k)];
      if (t.state == State::Yields) t.state = State::Runs;
      if (t.state != State::Runs) continue;
      moved = true;
      run_one(t);
      ended_ += t.state == State::Ended;
    }
    return moved;
  }

  void run_one(Thread& t) {
    try {
      t.run();
    } catch (const Fault& fault) {
      const size_t at = t.next - 1;
      throw Fault(fault.code, std::string(fault.what()) + " [block " + std::to_string(block_.index[0]) + "," +
                                  std::to_string(block_.index[1]) + "," + std::to_string(block_.index[2]) +
                                  ", thread " + std::to_string(t.number) + " of " + std::to_string(order_.size()) +
                                  ", line " + std::to_string(t.function->code[at].line) + " of " +
                                  readable(t.function->name) + "]");
    }
  }

  bool finish_collectives() {
    bool moved = false;
    for (size_t first = 0; first < order_.size(); first += 32) {
      Thread* const warp = &threads_[first];
      const auto lanes = static_cast<int>(std::min<size_t>(32, order_.size() - first));
      for (int lane = 0; lane < lanes; ++lane) {
        if (warp[lane].state == State::AtCollective && is_complete(warp, lanes, lane)) {
          finish_one(warp, warp[lane].mask, static_cast<int>(first / 32));
          moved = true;
        }
      }
    }
    return moved;
  }
  /// Returns whether all lanes of this lane's mask wait at a collective operation with the same mask.
  static bool is_complete(const Thread* warp, int lanes, int lane) {
    const uint32_t mask = warp[lane].mask;
    if (!(mask >> lane & 1)) throw Fault(kLaunchFailure, "a lane is not in the mask that it gives");
    for (int k = 0; k < 32; ++k) {
      if (!(mask >> k & 1)) continue;
      if (k >= lanes) throw Fault(kLaunchFailure, "a collective names a lane that the block does not have");
      if (warp[k].state == State::Ended) throw Fault(kLaunchFailure, "a collective names a lane that has ended");
      if (warp[k].state != State::AtCollective || warp[k].mask != mask) return false;
    }
    return true;
  }
  static void finish_one(Thread* warp, uint32_t mask, int number) {
    const bool orders = is_warp_barrier(*warp[__builtin_ctz(mask)].waits_at) && mask == ~0u;
    finish_collective(warp, mask);
    if (orders && Checks::instance().races) Checks::instance().shared.warp_barrier(number);
  }

  bool finish_barrier() {
    std::vector<Thread*> waiting;
    for (const int k : order_) {
      Thread& t = threads_[static_cast<size_t>(k)];
      if (t.state == State::AtBarrier)
        waiting.push_back(&t);
      else if (t.state != State::Ended)
        return false;
    }
    if (waiting.empty()) return false;
    const Instruction& at = *waiting[0]->waits_at;
    uint32_t count = 0;
    for (const Thread* t : waiting) {
      if (t->waits_at->form != at.form) throw Fault(kLaunchFailure, "threads wait at barriers of different kinds");
      if (t->waits_at != &at) note_once(*t, "threads of a block wait at different barriers");
      count += t->at_barrier_value;
    }
    if (waiting.size() < order_.size()) note_once(*waiting[0], "threads of a block wait at a barrier for ended ones");
    for (Thread* t : waiting) {
      if (at.form == kBarrierCount)
        write(*t, *t->waits_at, count);
      else if (at.form != kBarrierPlain)
        write<uint8_t>(*t, *t->waits_at, at.form == kBarrierAnd ? count == waiting.size() : count > 0);
      t->state = State::Runs;
    }
    Checks::instance().barrier_passed();
    return true;
  }
  void note_once(const Thread& t, const char* what) {
    if (!std::exchange(noted_, true)) Checks::instance().note(t, *t.waits_at, what);
  }

  Block& block_;
  std::vector<Thread>& threads_;
  std::span<const int> order_;
  size_t ended_ = 0;
  bool noted_ = false;
};

/// Returns the threads by warp, with warps and the lanes of each in an order drawn from the seed.
std::vector<int> order_of_threads(int n, std::optional<uint64_t> seed) {
  std::vector<int> order;
  const int warps = (n + 31) / 32;
  const Permutation of_warps(warps, seed), of_lanes(32, seed);
  for (int w = 0; w < warps; ++w) {
    for (int l = 0; l < 32; ++l) {
      const auto k = static_cast<int>(of_warps(w) * 32 + of_lanes(l));
      if (k < n) order.push_back(k);
    }
  }
  return order;
}

Block block_of(const Function& kernel, Shape grid, Shape size, size_t dynamic_shared_bytes, void* const* arguments) {
  Block b;
  b.kernel = &kernel;
  const Shape shapes[] = {grid, size};
  for (int k = 0; k < 2; ++k) {
    uint32_t* const to = k == 0 ? b.grid : b.size;
    to[0] = shapes[k].x, to[1] = shapes[k].y, to[2] = shapes[k].z;
  }
  b.shared_bytes = static_cast<uint32_t>(static_cast<size_t>(kernel.static_shared_bytes) + dynamic_shared_bytes);
  b.parameters.resize(static_cast<size_t>(kernel.parameter_bytes));
  for (size_t k = 0; k < kernel.parameters.size(); ++k) {
    const Area p = kernel.parameters[k];
    std::memcpy(b.parameters.data() + p.offset, arguments[k], static_cast<size_t>(p.bytes));
  }
  return b;
}

}  // namespace

void Thread::start(Block& of, int k) {
  if (local_stack.empty()) local_stack.resize(kLocalStack), parameter_stack.resize(kParameterStack);
  block = &of;
  number = k;
  lane = k % 32;
  const auto n = static_cast<uint32_t>(k);
  index[0] = n % of.size[0], index[1] = n / of.size[0] % of.size[1], index[2] = n / (of.size[0] * of.size[1]);
  carry = false;
  frames.assign(1, Frame{const_cast<Function*>(of.kernel), 0, 0, 0, 0, nullptr});
  enter(frames[0]);
  if (!of.parameters.empty()) std::memcpy(parameters, of.parameters.data(), of.parameters.size());
  state = State::Runs;
}

void Thread::enter(const Frame& frame) {
  function = frame.function;
  next = frame.next;
  const size_t slots = frame.registers + static_cast<size_t>(function->slots);
  if (register_stack.size() < slots) register_stack.resize(slots + 256);
  if (frame.parameters + static_cast<size_t>(function->parameter_bytes) > parameter_stack.size() ||
      frame.locals + static_cast<size_t>(function->local_bytes) > local_stack.size())
    throw Fault(kLaunchFailure, "the interpreter's stack is too small for " + readable(function->name));
  registers = register_stack.data() + frame.registers;
  parameters = parameter_stack.data() + frame.parameters;
  locals = local_stack.data() + frame.locals;
}

void Thread::run() {
  while (state == State::Runs) {
    const Instruction& i = function->code[next++];
    ++i.runs;
    ++g_instructions;
    if (i.guard >= 0 && (registers[i.guard] != 0) == i.guard_negated) continue;
    i.run(*this, i);
  }
}

void launch(Function& kernel, Shape grid, Shape size, size_t dynamic_shared_bytes, void* const* arguments) {
  static std::recursive_mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  static std::vector<Thread> threads(1024);
  static std::vector<uint64_t> shared(kMostShared / sizeof(uint64_t) + 16);
  parse_body(kernel);
  ++kernel.launches;
  if (size.count() > static_cast<uint64_t>(kernel.most_threads) || size.count() == 0)
    throw Fault(kInvalidValue, "a block of " + std::to_string(size.count()) + " threads");
  Block block = block_of(kernel, grid, size, dynamic_shared_bytes, arguments);
  if (block.shared_bytes > kMostShared)
    throw Fault(kInvalidValue, std::to_string(block.shared_bytes) + " bytes of shared memory");
  block.shared = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(shared.data()) + 127) / 128 * 128);
  Checks& checks = Checks::instance();
  // A kernel that sleeps waits for writes of lower-numbered blocks. Index order makes sure that these have run.
  const Permutation blocks(static_cast<int64_t>(grid.count()), kernel.sleeps ? std::nullopt : checks.order);
  const std::vector<int> order = order_of_threads(static_cast<int>(size.count()), checks.order);
  checks.launch_begins();
  for (uint64_t k = 0; k < grid.count(); ++k) {
    const auto at = static_cast<uint64_t>(blocks(static_cast<int64_t>(k)));
    block.index[0] = static_cast<uint32_t>(at % grid.x);
    block.index[1] = static_cast<uint32_t>(at / grid.x % grid.y);
    block.index[2] = static_cast<uint32_t>(at / (uint64_t(grid.x) * grid.y));
    std::memset(block.shared, kUnwrittenShared, block.shared_bytes);
    checks.block_begins(static_cast<uint32_t>(at));
    BlockRun(block, threads, order).run();
  }
}

uint64_t instructions_run() { return g_instructions; }

std::string readable(const std::string& name) {
  int status = 0;
  char* const demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string text = status == 0 ? demangled : name;
  std::free(demangled);
  return text;
}

}  // namespace ersatz::ptx

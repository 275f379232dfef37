#include "tracer/pt2/sample_inputs.h"

#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "runtime/base/error.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/tensor.h"
#include "tracer/archive/zip_archive.h"

namespace ersatz {

namespace pickled {

namespace {

constexpr size_t kMostLeaves = 4096, kMostDepth = 64, kMostItems = 1 << 20;
constexpr int64_t kMostElements = int64_t{1} << 32;

struct Item;
using ItemPtr = std::shared_ptr<Item>;

struct Mark {};
struct None {};
struct Global {
  std::string name;  ///< module and name, for example `torch._utils _rebuild_tensor_v2`
};
struct Sequence {
  std::vector<ItemPtr> items;
};
struct Dict {
  std::vector<std::pair<ItemPtr, ItemPtr>> items;
};
struct Storage {
  DType dtype;
  std::string key;
};

/// An object on the stack of the pickle machine. It is shared by pointer, because lists and dicts change after the
/// pickle has memoized them.
struct Item {
  std::variant<Mark, None, bool, int64_t, double, std::string, Global, Sequence, Dict, Storage, Tensor> value;
};

template <typename T>
ItemPtr item_of(T value) {
  return std::make_shared<Item>(Item{std::move(value)});
}

std::optional<DType> storage_dtype(std::string_view name) {
  static const std::map<std::string_view, DType> known = {
      {"FloatStorage", DType::F32},     {"DoubleStorage", DType::F64},       {"HalfStorage", DType::F16},
      {"BFloat16Storage", DType::BF16}, {"LongStorage", DType::I64},         {"IntStorage", DType::I32},
      {"ShortStorage", DType::I16},     {"CharStorage", DType::I8},          {"ByteStorage", DType::U8},
      {"BoolStorage", DType::Bool},     {"ComplexFloatStorage", DType::C64}, {"ComplexDoubleStorage", DType::C128}};
  const auto found = known.find(name.substr(std::min(name.size(), std::string_view("torch ").size())));
  return name.starts_with("torch ") && found != known.end() ? std::optional(found->second) : std::nullopt;
}

class PickleReader {
 public:
  PickleReader(const ZipArchive& zip, std::string root, std::string name)
      : zip_(zip), root_(std::move(root)), name_(std::move(name)) {}

  ItemPtr read(std::string_view bytes) {
    bytes_ = bytes;
    for (size_t steps = 0;; ++steps) {
      if (steps > kMostItems) refuse("is too long");
      const uint8_t op = byte();
      if (op == '.') return pop();
      step(op);
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { fail_argument("{}: {}", name_, why); }

  std::string_view take(size_t count) {
    if (count > bytes_.size() - at_) refuse("its pickle is cut off");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  uint8_t byte() { return static_cast<uint8_t>(take(1)[0]); }
  uint64_t number(size_t count) {
    uint64_t n = 0;
    const std::string_view from = take(count);
    for (size_t i = 0; i < count; ++i) n |= uint64_t(static_cast<uint8_t>(from[i])) << (8 * i);
    return n;
  }
  std::string line() {
    const size_t end = bytes_.find('\n', at_);
    if (end == bytes_.npos) refuse("its pickle is cut off");
    std::string text(take(end - at_));
    take(1);
    return text;
  }

  void push(ItemPtr item) {
    if (++items_ > kMostItems) refuse("is too long");
    stack_.push_back(std::move(item));
  }
  ItemPtr pop() {
    if (stack_.empty()) refuse("its pickle takes what is not there");
    ItemPtr top = std::move(stack_.back());
    stack_.pop_back();
    return top;
  }
  template <typename T>
  T& as(const ItemPtr& item, std::string_view what) {
    if (T* value = std::get_if<T>(&item->value)) return *value;
    refuse(fmt::format("its pickle has no {} where one is needed", what));
  }
  template <typename T>
  T& top(std::string_view what) {
    if (stack_.empty()) refuse("its pickle takes what is not there");
    return as<T>(stack_.back(), what);
  }
  std::vector<ItemPtr> pop_count(size_t count) {
    std::vector<ItemPtr> items(count);
    for (size_t i = count; i-- > 0;) items[i] = pop();
    return items;
  }
  std::vector<ItemPtr> pop_mark() {
    size_t begin = stack_.size();
    while (begin > 0 && !std::holds_alternative<Mark>(stack_[begin - 1]->value)) --begin;
    if (begin == 0) refuse("its pickle has no mark where one is needed");
    std::vector<ItemPtr> items(stack_.begin() + static_cast<ptrdiff_t>(begin), stack_.end());
    stack_.resize(begin - 1);
    return items;
  }
  void set_items(const std::vector<ItemPtr>& items) {
    auto& dict = top<Dict>("dict").items;
    if (items.size() % 2 != 0) refuse("its pickle has a key without a value");
    for (size_t i = 0; i < items.size(); i += 2) dict.emplace_back(items[i], items[i + 1]);
  }
  void remember(uint64_t key) {
    if (stack_.empty()) refuse("its pickle takes what is not there");
    memo_[key] = stack_.back();
  }
  void recall(uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) refuse("its pickle takes what is not there");
    push(found->second);
  }

  void step(uint8_t op) {
    switch (op) {
      case 0x80:
        take(1);
        break;  // the protocol number, which is ignored
      case 0x95:
        take(8);
        break;  // the length of a frame, which is ignored
      case '(':
        push(item_of(Mark{}));
        break;
      case 'N':
        push(item_of(None{}));
        break;
      case 0x88:
        push(item_of(true));
        break;
      case 0x89:
        push(item_of(false));
        break;
      case 'K':
        push(item_of(static_cast<int64_t>(byte())));
        break;
      case 'M':
        push(item_of(static_cast<int64_t>(number(2))));
        break;
      case 'J':
        push(item_of(static_cast<int64_t>(static_cast<int32_t>(number(4)))));
        break;
      case 0x8a:
        push(item_of(long_number()));
        break;
      case 'G':
        push(item_of(big_endian_double()));
        break;
      case 'X':
        push(item_of(std::string(take(number(4)))));
        break;
      case 0x8c:
        push(item_of(std::string(take(byte()))));
        break;
      case ')':
        push(item_of(Sequence{}));
        break;
      case ']':
        push(item_of(Sequence{}));
        break;
      case '}':
        push(item_of(Dict{}));
        break;
      case 't':
        push(item_of(Sequence{pop_mark()}));
        break;
      case 0x85:
      case 0x86:
      case 0x87:
        push(item_of(Sequence{pop_count(op - 0x84U)}));
        break;
      case 'a': {
        ItemPtr last = pop();
        top<Sequence>("list").items.push_back(std::move(last));
        break;
      }
      case 'e': {
        const std::vector<ItemPtr> items = pop_mark();
        auto& list = top<Sequence>("list").items;
        list.insert(list.end(), items.begin(), items.end());
        break;
      }
      case 's':
        set_items(pop_count(2));
        break;
      case 'u':
        set_items(pop_mark());
        break;
      case 'q':
        remember(byte());
        break;
      case 'r':
        remember(number(4));
        break;
      case 0x94:
        remember(memo_.size());
        break;
      case 'h':
        recall(byte());
        break;
      case 'j':
        recall(number(4));
        break;
      case 'c': {
        const std::string module = line();
        push(item_of(Global{module + " " + line()}));
        break;
      }
      case 0x93: {
        const std::vector<ItemPtr> names = pop_count(2);
        push(item_of(Global{as<std::string>(names[0], "name") + " " + as<std::string>(names[1], "name")}));
        break;
      }
      case 'Q':
        push(persistent(pop()));
        break;
      case 'R': {
        const ItemPtr arguments = pop();
        push(called(as<Global>(pop(), "function").name, arguments));
        break;
      }
      default:
        refuse(fmt::format("its pickle has opcode {:#04x}, which is not read here", op));
    }
  }

  int64_t long_number() {
    const size_t count = byte();
    if (count > 8) refuse("its pickle has a number of more than 64 bits");
    uint64_t n = number(count);
    if (count > 0 && count < 8 && (n >> (8 * count - 1) & 1) != 0) n |= ~uint64_t{0} << (8 * count);
    return static_cast<int64_t>(n);
  }
  double big_endian_double() {
    uint64_t n = 0;
    for (const char c : take(8)) n = n << 8 | static_cast<uint8_t>(c);
    return std::bit_cast<double>(n);
  }

  /// Parses the persistent id `('storage', FloatStorage, '0', 'cpu', 160)`.
  ItemPtr persistent(const ItemPtr& id) {
    const auto& parts = as<Sequence>(id, "storage").items;
    if (parts.size() < 5 || as<std::string>(parts[0], "storage") != "storage")
      refuse("its pickle has no storage where one is needed");
    const std::string& type = as<Global>(parts[1], "storage").name;
    const std::optional<DType> dtype = storage_dtype(type);
    if (!dtype) refuse(fmt::format("storages of {} are not read here", type));
    return item_of(Storage{*dtype, as<std::string>(parts[2], "storage")});
  }

  ItemPtr called(const std::string& name, const ItemPtr& arguments) {
    const auto& args = as<Sequence>(arguments, "tuple").items;
    if (name == "collections OrderedDict" && args.empty()) return item_of(Dict{});
    if (name == "torch._utils _rebuild_parameter" && !args.empty()) return args[0];
    if (name == "torch._utils _rebuild_tensor_v2" && args.size() >= 4) {
      return item_of(tensor(as<Storage>(args[0], "storage"), as<int64_t>(args[1], "offset"),
                            as<Sequence>(args[2], "sizes"), as<Sequence>(args[3], "strides")));
    }
    refuse(fmt::format("its pickle names {}, which is not read here: nothing of a pickle is executed", name));
  }

  Tensor tensor(const Storage& storage, int64_t offset, const Sequence& sizes, const Sequence& strides) {
    if (sizes.items.size() != strides.items.size()) refuse("a tensor has another number of strides than of sizes");
    TensorMeta meta(storage.dtype, {});
    int64_t last = 0, count = 1;
    for (size_t d = 0; d < sizes.items.size(); ++d) {
      const int64_t size = as<int64_t>(sizes.items[d], "size"), stride = as<int64_t>(strides.items[d], "stride");
      int64_t step = 0;
      if (size < 0 || stride < 0 || __builtin_mul_overflow(count, size, &count) || count > kMostElements ||
          (size > 0 &&
           (__builtin_mul_overflow(size - 1, stride, &step) || __builtin_add_overflow(last, step, &last)))) {
        refuse("the sizes and strides of a tensor are not possible");
      }
      meta.sizes.push_back(size);
      meta.strides.push_back(stride);
    }
    const std::string bytes = storage_bytes(storage.key);
    const int64_t item = item_size(storage.dtype), elements = static_cast<int64_t>(bytes.size()) / item;
    if (offset < 0 || (count > 0 && (offset >= elements || last >= elements - offset))) {
      refuse(fmt::format("a tensor goes beyond its storage '{}'", storage.key));
    }
    Tensor t = make_real_tensor(std::move(meta));
    if (count > 0) std::memcpy(t.raw_data(), bytes.data() + offset * item, static_cast<size_t>((last + 1) * item));
    return t;
  }

  std::string storage_bytes(const std::string& key) {
    const ZipArchive::Entry* entry = zip_.find(root_ + "data/" + key);
    if (!entry) refuse(fmt::format("storage '{}' is missing", key));
    return zip_.read(*entry);
  }

  const ZipArchive& zip_;
  std::string root_, name_;
  std::string_view bytes_;
  size_t at_ = 0, items_ = 0;
  std::vector<ItemPtr> stack_;
  std::map<uint64_t, ItemPtr> memo_;
};

void flatten(const ItemPtr& item, size_t depth, const std::string& name, std::vector<Value>& leaves) {
  if (depth > kMostDepth || leaves.size() > kMostLeaves)
    fail_argument("{}: is nested too deep, or has too many tensors", name);
  if (const auto* sequence = std::get_if<Sequence>(&item->value)) {
    for (const ItemPtr& inner : sequence->items) flatten(inner, depth + 1, name, leaves);
  } else if (const auto* dict = std::get_if<Dict>(&item->value)) {
    for (const auto& row : dict->items) flatten(row.second, depth + 1, name, leaves);
  } else if (const auto* tensor = std::get_if<Tensor>(&item->value)) {
    leaves.emplace_back(*tensor);
  } else if (const auto* flag = std::get_if<bool>(&item->value)) {
    leaves.emplace_back(*flag);
  } else if (const auto* number = std::get_if<int64_t>(&item->value)) {
    leaves.emplace_back(*number);
  } else if (const auto* real = std::get_if<double>(&item->value)) {
    leaves.emplace_back(*real);
  }  // None and strings are no inputs of a graph
}

}  // namespace

}  // namespace pickled

std::vector<Value> parse_sample_inputs(std::string bytes, const std::string& name) {
  const std::shared_ptr<ZipArchive> zip = ZipArchive::from_bytes(std::move(bytes), name);
  for (const ZipArchive::Entry& entry : zip->entries()) {
    if (!entry.name.ends_with("/data.pkl")) continue;
    const std::string root = entry.name.substr(0, entry.name.size() - std::string_view("data.pkl").size());
    if (const ZipArchive::Entry* order = zip->find(root + "byteorder"); order && zip->read(*order) != "little") {
      fail_argument("{}: is not little-endian", name);
    }
    const std::string pickle = zip->read(entry);
    std::vector<Value> leaves;
    pickled::flatten(pickled::PickleReader(*zip, root, name).read(pickle), 0, name, leaves);
    return leaves;
  }
  fail_argument("{}: has no data.pkl", name);
}

std::vector<Value> load_sample_inputs(const ZipArchive& archive) {
  for (const ZipArchive::Entry& entry : archive.entries()) {
    if (entry.name.ends_with("/data/sample_inputs/model.pt") && entry.size > 0) {
      return parse_sample_inputs(archive.read(entry), archive.path() + ": sample inputs");
    }
  }
  return {};
}

}  // namespace ersatz

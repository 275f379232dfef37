// The text of a program with small sizes.
#include <algorithm>
#include <map>

#include "runtime/tensor/layout.h"
#include "tools/program/smallest_repro.h"

namespace ersatz::tools {

namespace {

struct CannotShrink {};

bool is_path_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$'; }

/// Metadata and lists of integers in a program's text; what stands in quotes is left alone.
class Text {
 public:
  explicit Text(const std::string& text) : text_(text) {}

  /// Calls `meta(position, length, TensorMeta)`, `ints(position, length)` and `storage(position, length)`, a `$NAME`
  /// outside of its statement, in order.
  template <class Meta, class Ints, class Storage>
  void walk(Meta&& meta, Ints&& ints, Storage&& storage) const {
    for (size_t i = 0; i < text_.size();) {
      if (text_[i] == '"') {
        for (++i; i < text_.size() && text_[i] != '"'; ++i) i += text_[i] == '\\';
        ++i;
        continue;
      }
      const bool starts = i == 0 || !is_path_word(text_[i - 1]);
      if (starts && text_[i] == '$') {
        const size_t n = word(i);
        storage(i, n);
        i += n;
      } else if (starts && is_path_word(text_[i])) {
        const size_t n = word(i);
        if (i + n < text_.size() && text_[i + n] == '[' && parse_dtype(std::string_view(text_).substr(i, n))) {
          size_t taken = 0;
          const MetaText found = parse_meta_prefix(std::string_view(text_).substr(i), taken);
          if (found.meta.is_symbolic()) throw CannotShrink();
          if (found.storage_bytes || found.alias_bytes) throw CannotShrink();
          // A name of another value that shares the storage stands after it and stays.
          const size_t alias = text_.find(" ~", i);
          if (alias < i + taken) taken = alias - i;
          meta(i, taken, found.meta);
          i += taken;
        } else {
          i += n;
        }
      } else if (text_[i] == '[' && i > 0 && text_[i - 1] != '%') {
        const size_t end = text_.find(']', i);
        if (end == text_.npos) return;
        if (std::all_of(text_.begin() + static_cast<ptrdiff_t>(i) + 1, text_.begin() + static_cast<ptrdiff_t>(end),
                        [](char c) { return c == ',' || c == ' ' || c == '-' || (c >= '0' && c <= '9'); })) {
          ints(i, end + 1 - i);
          i = end + 1;
        } else {
          ++i;
        }
      } else {
        ++i;
      }
    }
  }

 private:
  size_t word(size_t at) const {
    size_t n = 0;
    while (at + n < text_.size() && is_path_word(text_[at + n])) ++n;
    return n;
  }
  const std::string& text_;
};

using SmallerExtents = std::map<int64_t, int64_t>;

int64_t small(const SmallerExtents& extents, int64_t size) {
  const auto at = extents.find(size);
  return at == extents.end() ? size : at->second;
}

/// Small sizes in the same order of dims in memory, with the gaps that were there.
TensorMeta shrunk(const TensorMeta& m, const SmallerExtents& extents) {
  TensorMeta to = m;
  std::vector<size_t> dims;
  for (size_t d = 0; d < m.sizes.size(); ++d) {
    to.sizes[d] = small(extents, m.sizes[d].as_int());
    dims.push_back(d);
  }
  std::stable_sort(dims.begin(), dims.end(), [&](size_t a, size_t b) {
    const int64_t x = m.strides[a].as_int(), y = m.strides[b].as_int();
    return x != y ? x < y : m.sizes[a].as_int() < m.sizes[b].as_int();
  });
  int64_t dense = 1, now = 1;
  for (size_t d : dims) {
    const int64_t stride = m.strides[d].as_int(), size = m.sizes[d].as_int();
    if (stride == 0) continue;  // expanded
    if (stride % dense != 0) throw CannotShrink();
    const int64_t gap = stride / dense;
    to.strides[d] = now * gap;
    dense = stride * std::max<int64_t>(size, 1);
    now = now * gap * std::max<int64_t>(to.sizes[d].as_int(), 1);
  }
  return to;
}

std::string small_list(std::string_view list, const SmallerExtents& extents) {
  std::string out;
  for (size_t i = 0; i < list.size();) {
    size_t n = 0;
    while (i + n < list.size() && list[i + n] >= '0' && list[i + n] <= '9' && n < 18) ++n;
    if (n == 0) {
      out += list[i++];
    } else {
      out += std::to_string(small(extents, std::stoll(std::string(list.substr(i, n)))));
      i += n;
    }
  }
  return out;
}

std::string with_sizes(const std::string& text, const SmallerExtents& extents) {
  const size_t graph = text.find("graph(");
  if (graph == text.npos) throw CannotShrink();
  const std::string head = text.substr(0, graph), body = text.substr(graph);
  std::map<std::string, int64_t> needed;
  std::string out, storage_before;
  int64_t last = 0;
  size_t copied = 0;
  Text(body).walk(
      [&](size_t at, size_t n, const TensorMeta& m) {
        const TensorMeta to = shrunk(m, extents);
        std::string spelled = to_string(to);
        last = storage_bytes_needed(to).as_int();
        if (at >= 4 && body.compare(at - 4, 4, " as ") == 0)
          needed[storage_before] = std::max(needed[storage_before], last);
        out += body.substr(copied, at - copied) + spelled;
        copied = at + n;
      },
      [&](size_t at, size_t n) {
        out += body.substr(copied, at - copied) + small_list(std::string_view(body).substr(at, n), extents);
        copied = at + n;
      },
      [&](size_t at, size_t n) {
        storage_before = body.substr(at, n);
        needed[storage_before] = std::max(needed[storage_before], last);
      });
  out += body.substr(copied);
  // Statements of storages: as many bytes as are needed, made up.
  std::string statements;
  for (size_t at = 0; at < head.size();) {
    const size_t end = std::min(head.find('\n', at), head.size());
    std::string line = head.substr(at, end - at);
    if (line.starts_with("storage ")) {
      const std::string name = line.substr(8, line.find(' ', 8) - 8);
      line = fmt::format("storage {} {}B made", name, needed[name]);
    }
    statements += line + "\n";
    at = end + 1;
  }
  return statements + out;
}

}  // namespace

std::string with_small_sizes(const std::string& repro) {
  try {
    const size_t graph = repro.find("graph(");
    if (graph == repro.npos) return "";
    SmallerExtents extents;
    const std::string body = repro.substr(graph);
    Text(body).walk(
        [&](size_t, size_t, const TensorMeta& m) {
          for (const SymInt s : m.sizes) {
            if (s.as_int() > 1) extents[s.as_int()] = 0;
          }
        },
        [](size_t, size_t) {}, [](size_t, size_t) {});
    int64_t next = 2;
    bool smaller = false;
    for (auto& [size, to] : extents) {
      to = std::min(size, next++);
      smaller |= to < size;
    }
    if (!smaller) return "";
    return with_sizes(repro, extents);
  } catch (const CannotShrink&) {
    return "";
  } catch (const Error&) {
    return "";
  }
}

}  // namespace ersatz::tools

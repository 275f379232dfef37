#include "tools/validate/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/validate/call_change.h"

namespace ersatz::tools {

namespace {

Chosen only(size_t tensor) {
  return [tensor](size_t k) { return k == tensor; };
}

std::vector<int64_t> largest_size_first(const CallSpec& spec) {
  std::vector<int64_t> sizes = sizes_of(spec);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  return sizes;
}

std::optional<CallSpec> resized_in_order(const CallSpec& spec, int64_t from, int64_t to) {
  return with_size(spec, from, to, NewStrides::InOrder);
}

class Shrinker {
 public:
  Shrinker(CallSpec failing, const Fails& fails, int budget)
      : best_(std::move(failing)), fails_(fails), left_(budget) {}

  Shrunk run() {
    const int budget = left_;
    for (bool again = true; again && left_ > 0;) {
      again = false;
      again |= drop_dims();
      again |= reduce_sizes();
      again |= lay_out_plainly();
      again |= cast();
      again |= simplify_numbers();
      again |= refill();
    }
    Shrunk shrunk;
    left_ = std::max(left_, std::min(64, budget / 4));  // reserves some calls for the explanation
    explain(shrunk.why);
    shrunk.smallest = std::move(best_);
    shrunk.tried = budget - left_;
    return shrunk;
  }

 private:
  bool still_fails(CallSpec& spec) {
    if (left_-- <= 0) return false;
    try {
      renew_outs(spec);
      return fails_(spec);
    } catch (const Error&) {
      return false;  // the candidate cannot be called
    }
  }

  bool take(std::optional<CallSpec> candidate) {
    if (!candidate || !still_fails(*candidate)) return false;
    best_ = std::move(*candidate);
    return true;
  }

  bool drop_dims() {
    bool any = false;
    const size_t tensors = best_.tensors().size();
    for (size_t d = 0; d < 6; ++d) {
      for (bool from_end : {false, true}) {
        while (take(without_dim(best_, d, from_end))) any = true;
        for (size_t k = 0; k < tensors && tensors > 1; ++k) {
          while (take(without_dim(best_, d, from_end, only(k)))) any = true;
        }
      }
    }
    return any;
  }

  bool reduce_sizes() {
    bool any = false;
    for (int64_t from : largest_size_first(best_)) {
      for (int64_t to : {int64_t(1), int64_t(2), from / 2, from - 1}) {
        if (to < 1 || to >= from) continue;
        if (!take(resized_in_order(best_, from, to))) continue;
        any = true;
        break;
      }
    }
    return any;
  }

  bool lay_out_plainly() {
    if (take(row_major(best_))) return true;
    bool any = false;
    for (size_t k = 0; k < best_.tensors().size(); ++k) any |= take(row_major(best_, only(k)));
    any |= take(with_metas(best_, [](size_t, TensorMeta& m) {
      const bool moved = m.offset.as_int() != 0;
      m.offset = 0;
      return moved;
    }));
    return any;
  }

  bool cast() {
    if (take(with_dtype(best_, {}, DType::F32))) return true;
    bool any = false;
    const std::vector<Tensor> tensors = best_.tensors();
    for (size_t k = 0; k < tensors.size(); ++k) {
      // Changes all tensors, or only tensor k, to f32. No tensor is changed from f32 to another dtype, so that the
      // search ends.
      if (tensors[k].dtype() != DType::F32) any |= take(with_dtype(best_, {}, DType::F32, only(k)));
    }
    return any;
  }

  bool simplify_numbers() {
    bool any = false;
    const std::vector<Argument>& schema = best_.op->schema.arguments;
    for (size_t i = 0; i < best_.args.size(); ++i) {
      const Value v = best_.args[i];
      std::vector<Value> simpler;
      if (schema[i].default_value) simpler.push_back(*schema[i].default_value);
      if (schema[i].type.is_optional()) simpler.emplace_back();
      if (v.kind() == Value::Kind::Int && !v.is_symbolic_int()) {
        const int64_t n = v.as_int64();
        for (int64_t m : {int64_t(0), int64_t(1), n / 2}) {
          if (std::abs(m) < std::abs(n)) simpler.emplace_back(m);
        }
      } else if (v.kind() == Value::Kind::Float && !v.is_symbolic() && v.as_double() != 0 && v.as_double() != 1) {
        simpler.emplace_back(1.0);
      } else if (v.kind() == Value::Kind::List && v.as_list().size() > 1) {
        for (size_t gone = 0; gone < v.as_list().size(); ++gone) {
          Values fewer;
          for (size_t k = 0; k < v.as_list().size(); ++k) {
            if (k != gone) fewer.push_back(v.as_list()[k]);
          }
          simpler.push_back(Value::list(fewer));
        }
      }
      for (const Value& s : simpler) {
        if (s == v || (v.is_none() && !s.is_none())) continue;
        CallSpec candidate = best_;
        candidate.args[i] = s;
        if (!take(std::move(candidate))) continue;
        any = true;
        break;
      }
    }
    return any;
  }

  bool refill() {
    for (FillKind f : kFillKinds) {
      if (f >= best_.fill) return false;
      if (take(filled(f))) return true;
    }
    return false;
  }
  CallSpec filled(FillKind f) const {
    CallSpec spec = best_;
    spec.fill = f;
    return spec;
  }

  /// True if the candidate has no finding: its results agree, or it is refused.
  bool is_fine(std::optional<CallSpec> candidate) { return candidate && !still_fails(*candidate); }
  std::string argument(size_t tensor) const { return best_.op->schema.arguments[best_.positions()[tensor]].name; }

  void explain(std::vector<std::string>& why) {
    const std::vector<Tensor> tensors = best_.tensors();
    for (size_t k = 0; k < tensors.size(); ++k) {
      if (!is_fine(row_major(best_, only(k)))) continue;
      why.push_back(fmt::format("only where {} is laid out as {}: row-major, nothing is found", argument(k),
                                to_string(tensors[k].meta(), MetaStyle::Full)));
    }
    explain_dtypes(why);
    explain_fill(why);
    for (int64_t size : largest_size_first(best_)) {
      const bool less = size > 1 && is_fine(resized_in_order(best_, size, size - 1)),
                 more = is_fine(resized_in_order(best_, size, size + 1));
      const std::string where = fmt::format("only where {} {}", dims_of_size(size), size);
      if (less && more) {
        why.push_back(fmt::format("{}: with {} or {} nothing is found", where, size - 1, size + 1));
      } else if (less) {
        why.push_back(fmt::format("{} or more: with {} nothing is found", where, size - 1));
      } else if (more) {
        why.push_back(fmt::format("{}{}: with {} nothing is found", where, size > 1 ? " or less" : "", size + 1));
      }
    }
  }

  /// Returns a text on the dims with this size: `dim 0 of x is`, `dims 0 and 1 of x and dim 0 of y are`.
  std::string dims_of_size(int64_t size) const {
    const std::vector<Tensor> tensors = best_.tensors();
    std::vector<std::string> places;
    size_t count = 0;
    for (size_t k = 0; k < tensors.size(); ++k) {
      std::vector<size_t> dims;
      for (size_t d = 0; d < tensors[k].sizes().size(); ++d) {
        if (tensors[k].sizes()[d].as_int() == size) dims.push_back(d);
      }
      if (dims.empty()) continue;
      count += dims.size();
      places.push_back(
          fmt::format("{} {} of {}", dims.size() == 1 ? "dim" : "dims", fmt::join(dims, ", "), argument(k)));
    }
    return fmt::format("{} {}", fmt::join(places, " and "), count == 1 ? "is" : "are");
  }

  void explain_dtypes(std::vector<std::string>& why) {
    const std::vector<Tensor> tensors = best_.tensors();
    if (tensors.empty()) return;
    std::set<std::string> dtypes;
    for (const Tensor& t : tensors) dtypes.insert(std::string(name(t.dtype())));
    const auto all = [&](DType to) { return with_dtype(best_, {}, to); };
    if (dtypes.size() > 1 && is_fine(all(tensors[0].dtype()))) {
      why.push_back(fmt::format("only for tensors of different dtypes ({}): with {} alone nothing is found",
                                fmt::join(dtypes, ", "), name(tensors[0].dtype())));
    } else if (dtypes.size() == 1 && tensors[0].dtype() != DType::F32 && is_fine(all(DType::F32))) {
      why.push_back(fmt::format("only for {}: with f32 in its place nothing is found", name(tensors[0].dtype())));
    }
  }

  void explain_fill(std::vector<std::string>& why) {
    std::vector<std::string_view> fine;
    for (FillKind f : kFillKinds) {
      if (f != best_.fill && is_fine(filled(f))) fine.push_back(name(f));
    }
    if (fine.empty()) return;
    why.push_back(
        fmt::format("only for some values: found with fill={}, not with {}", name(best_.fill), fmt::join(fine, ", ")));
  }

  CallSpec best_;
  const Fails& fails_;
  int left_;
};

}  // namespace

Shrunk shrink(const CallSpec& failing, const Fails& fails, int budget) {
  return Shrinker(failing, fails, budget).run();
}

}  // namespace ersatz::tools

// Calls typed C++ functions through the C interface: converts arguments to C++ types, and converts results back.
// Header-only, part of runtime/plugin/plugin_op.h.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>

#include "runtime/plugin/plugin_view.h"

namespace ersatz::plugin {

/// Passes a function's results to ersatz: a Meta from a rule, a Result from a kernel.
struct ResultWriter {
  const ErsatzCall* call;

  /// Returns false if ersatz refused the result; ersatz has then stored the reason.
  bool write(const Meta& m) const {
    if (m.argument_ >= 0 && !m.is_view_) return add_argument(m);
    ErsatzTensor t = layout_of(m);
    if (m.is_view_) return call->host->add_view(call, static_cast<uint32_t>(m.argument_), &t) == 0;
    return call->host->add_tensor(call, &t, nullptr, nullptr) == 0;
  }
  bool write(const Result& r) const {
    if (r.argument_ >= 0 && !r.is_view_) return add_argument(r);
    ErsatzTensor t = layout_of(r);
    t.data = r.data_;
    return call->host->add_tensor(call, &t, r.deleter_, r.context_) == 0;
  }
  bool write(bool v) const {
    ErsatzValue c = value(ERSATZ_BOOL);
    c.as.integer = v;
    return call->host->add_value(call, &c) == 0;
  }
  bool write(int64_t v) const {
    ErsatzValue c = value(ERSATZ_INT);
    c.as.integer = v;
    return call->host->add_value(call, &c) == 0;
  }
  bool write(double v) const {
    ErsatzValue c = value(ERSATZ_FLOAT);
    c.as.number[0] = v;
    return call->host->add_value(call, &c) == 0;
  }
  template <class T>
  bool write(const std::vector<T>& items) const {
    for (const T& item : items) {
      if (!write(item)) return false;
    }
    return true;
  }
  template <class... T>
  bool write(const std::tuple<T...>& items) const {
    return std::apply([&](const T&... item) { return (write(item) && ...); }, items);
  }

 private:
  static ErsatzValue value(ErsatzKind kind) {
    ErsatzValue c{};
    c.kind = kind;
    return c;
  }
  bool add_argument(const Meta& m) const {
    return call->host->add_argument(call, static_cast<uint32_t>(m.argument_)) == 0;
  }
  ErsatzTensor layout_of(const Meta& m) const {
    ErsatzTensor t{};
    t.device = m.device_ ? *m.device_ : usual_device(call);
    t.ndim = static_cast<int32_t>(m.sizes_.size());
    t.dtype = kDTypeCodes[static_cast<int>(m.dtype_)];
    t.shape = const_cast<int64_t*>(m.sizes_.data());
    t.strides = const_cast<int64_t*>(m.strides_.data());
    t.byte_offset = static_cast<uint64_t>(m.offset_ * item_size(m.dtype_));
    return t;
  }
};

namespace detail {

template <class T>
struct Read;
#define ERSATZ_READ(type, expr)                                                          \
  template <>                                                                            \
  struct Read<type> {                                                                    \
    static type from(const ErsatzValue& v, [[maybe_unused]] uint32_t i) { return expr; } \
  };
ERSATZ_READ(int64_t, v.as.integer)
ERSATZ_READ(bool, v.as.integer != 0)
ERSATZ_READ(double, v.kind == ERSATZ_FLOAT ? v.as.number[0] : static_cast<double>(v.as.integer))
ERSATZ_READ(std::string, std::string(v.as.string, v.length))
ERSATZ_READ(Dims, Dims(v.as.integers, v.as.integers + v.length))
#undef ERSATZ_READ

template <>
struct Read<View> {
  static View from(const ErsatzValue& v, uint32_t i) {
    if (v.kind != ERSATZ_TENSOR) throw Refusal{"", "argument " + std::to_string(i) + " must be a tensor, not a number"};
    return View(v.as.tensor, i);
  }
};
template <class T>
struct Read<std::vector<T>> {
  static std::vector<T> from(const ErsatzValue& v, uint32_t i) {
    std::vector<T> items;
    for (uint32_t k = 0; k < v.length; ++k) items.push_back(Read<T>::from(v.as.items[k], i));
    return items;
  }
};
template <class T>
struct Read<std::optional<T>> {
  static std::optional<T> from(const ErsatzValue& v, uint32_t i) {
    return v.kind == ERSATZ_NONE ? std::nullopt : std::optional<T>(Read<T>::from(v, i));
  }
};

/// The name of a C++ type in the schema language: `Tensor`, `float?`, `int[]`.
template <class T>
struct Spelling {
  static_assert(std::is_base_of_v<Meta, T>, "functions of plugins take and return the types that plugin_op.h lists");
  static std::string text() { return "Tensor"; }
};
#define ERSATZ_SPELLING(type, spelling)            \
  template <>                                      \
  struct Spelling<type> {                          \
    static std::string text() { return spelling; } \
  };
ERSATZ_SPELLING(View, "Tensor")
ERSATZ_SPELLING(int64_t, "int")
ERSATZ_SPELLING(double, "float")
ERSATZ_SPELLING(bool, "bool")
ERSATZ_SPELLING(std::string, "str")
#undef ERSATZ_SPELLING
template <class T>
struct Spelling<std::vector<T>> {
  static std::string text() { return Spelling<T>::text() + "[]"; }
};
template <class T>
struct Spelling<std::optional<T>> {
  static std::string text() { return Spelling<T>::text() + "?"; }
};

template <class... A>
struct Types {
  static std::string text() {
    std::string all;
    ((all += (all.empty() ? "" : ", ") + Spelling<std::decay_t<A>>::text()), ...);
    return "(" + all + ")";
  }
};
template <class R>
struct Returns : Types<R> {};
template <>
struct Returns<void> : Types<> {};
template <class... R>
struct Returns<std::tuple<R...>> : Types<R...> {};

/// Calls f with the arguments from position `first` on and passes its results to ersatz.
template <class R, class F, class... A, size_t... I>
bool apply(const ErsatzCall* call, F&& f, Types<A...>, std::index_sequence<I...>) {
  require(call->argument_count == sizeof...(A), "",
          "its function takes " + std::to_string(sizeof...(A)) + " arguments, its schema has " +
              std::to_string(call->argument_count));
  if constexpr (std::is_void_v<R>) {
    f(Read<std::decay_t<A>>::from(call->arguments[I], static_cast<uint32_t>(I))...);
    return true;
  } else {
    return ResultWriter{call}.write(f(Read<std::decay_t<A>>::from(call->arguments[I], static_cast<uint32_t>(I))...));
  }
}

/// Returns the error's message with the argument's name: `argument 0 ('x') is bool, and the kernel asks for its
/// elements as f32: ...`.
inline std::string message_of(const WrongType& w, const ErsatzCall* call) {
  std::string whose = "a result";
  if (w.argument >= 0) {
    whose = "argument " + std::to_string(w.argument);
    const bool has_names = call->size >= offsetof(ErsatzCall, argument_names) + sizeof call->argument_names;
    if (has_names) whose += std::string(" ('") + call->argument_names[w.argument] + "')";
  }
  return whose + " is " + dtype_name(w.dtype) + ", and its elements are asked for as " + w.asked +
         ": check dtype(), in kernel and rule alike, or take the type that belongs to it";
}

/// A pointer to a typed function, and the pointer to a function that calls it.
struct Function {
  bool (*invoke)(const ErsatzCall*, void (*)()) = nullptr;
  void (*target)() = nullptr;
  std::string signature;  ///< the function's parameters and results, as ErsatzOp::cpu_signature spells them
  explicit operator bool() const { return target != nullptr; }

  /// Runs a call and returns its C status. Never throws.
  int run(const ErsatzCall* call) const {
    try {
      return invoke(call, target) ? 0 : 1;
    } catch (const Refusal& r) {
      return call->host->refuse(call, r.label.c_str(), r.message.c_str());
    } catch (const WrongType& w) {
      return call->host->refuse(call, nullptr, message_of(w, call).c_str());
    } catch (const std::exception& e) {
      return call->host->refuse(call, nullptr, e.what());
    } catch (...) {
      return call->host->refuse(call, nullptr, "threw something that is no std::exception");
    }
  }
};

template <class R, class... A>
Function function_of(R (*f)(A...)) {
  Function made;
  made.signature = Types<A...>::text() + " -> " + Returns<R>::text();
  made.target = reinterpret_cast<void (*)()>(f);
  made.invoke = [](const ErsatzCall* call, void (*target)()) {
    auto* typed = reinterpret_cast<R (*)(A...)>(target);
    return apply<R>(call, typed, Types<A...>(), std::index_sequence_for<A...>());
  };
  return made;
}
template <class R, class... A>
Function function_of(R (*f)(Call&, A...)) {
  Function made;
  made.signature = Types<A...>::text() + " -> " + Returns<R>::text();
  made.target = reinterpret_cast<void (*)()>(f);
  made.invoke = [](const ErsatzCall* call, void (*target)()) {
    auto* typed = reinterpret_cast<R (*)(Call&, A...)>(target);
    Call scope(call);
    auto bound = [&](auto&&... a) { return typed(scope, std::forward<decltype(a)>(a)...); };
    return apply<R>(call, bound, Types<A...>(), std::index_sequence_for<A...>());
  };
  return made;
}

struct OpFunctions {
  Function cpu, cuda, rule;
};

}  // namespace detail
}  // namespace ersatz::plugin

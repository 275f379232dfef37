// A vector that keeps up to N elements inside the object, for sizes, strides, arguments and results.
//
// Tensors have few dimensions, so most vectors allocate nothing. The class has only those functions of std::vector that
// are used. Elements are moved by their move constructors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace ersatz {

template <class T, uint32_t N>
class InlineVec {
 public:
  using value_type = T;
  InlineVec() noexcept {}
  explicit InlineVec(size_t n, const T& value = T()) { resize(n, value); }
  InlineVec(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  template <class It>
  InlineVec(It first, It last) {
    append(first, last);
  }
  InlineVec(std::span<const T> items) { append(items.data(), items.data() + items.size()); }
  InlineVec(const InlineVec& o) {
    if (kPlain && o.size_ <= N) {
      copy_room(o);
    } else {
      append(o.begin(), o.end());
    }
  }
  InlineVec(InlineVec&& o) noexcept { take(o); }
  ~InlineVec() {
    if constexpr (!std::is_trivially_destructible_v<T>) std::destroy(begin(), end());
    if (heap()) ::operator delete(data_);
  }
  InlineVec& operator=(const InlineVec& o) {
    if (this == &o) return *this;
    if (kPlain && o.size_ <= N && !heap()) {
      copy_room(o);
    } else {
      clear();
      append(o.begin(), o.end());
    }
    return *this;
  }
  InlineVec& operator=(InlineVec&& o) noexcept {
    if (this != &o) {
      this->~InlineVec();
      new (this) InlineVec(std::move(o));
    }
    return *this;
  }

  size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T& operator[](size_t i) noexcept { return data_[i]; }
  const T& operator[](size_t i) const noexcept { return data_[i]; }
  T& front() noexcept { return data_[0]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& front() const noexcept { return data_[0]; }
  const T& back() const noexcept { return data_[size_ - 1]; }

  template <class... A>
  T& emplace_back(A&&... args) {
    if (size_ == capacity_) grow(size_ + 1);
    T* at = new (data_ + size_) T(std::forward<A>(args)...);
    ++size_;
    return *at;
  }
  void push_back(const T& v) { emplace_back(T(v)); }
  void push_back(T&& v) { emplace_back(std::move(v)); }
  void pop_back() noexcept { data_[--size_].~T(); }
  void reserve(size_t n) {
    if (n > capacity_) grow(n);
  }
  void resize(size_t n, const T& value = T()) {
    while (size_ > n) pop_back();
    reserve(n);
    while (size_ < n) emplace_back(value);
  }
  template <class It>
  void append(It first, It last) {
    if constexpr (std::is_trivially_copyable_v<T> && std::is_convertible_v<It, const T*>) {
      const auto n = static_cast<size_t>(last - first);
      reserve(size_ + n);
      T* to = data_ + size_;
      for (size_t i = 0; i < n; ++i) new (to + i) T(first[i]);
      size_ += static_cast<uint32_t>(n);
    } else {
      for (; first != last; ++first) emplace_back(*first);
    }
  }
  void insert(size_t at, const T& v) {
    push_back(v);
    for (size_t i = size_ - 1; i > at; --i) std::swap(data_[i], data_[i - 1]);
  }
  void erase(size_t at) {
    for (size_t i = at; i + 1 < size_; ++i) data_[i] = std::move(data_[i + 1]);
    pop_back();
  }
  void clear() noexcept {
    std::destroy(begin(), end());
    size_ = 0;
  }
  bool operator==(const InlineVec& o) const {
    if (size_ != o.size_) return false;
    for (uint32_t i = 0; i < size_; ++i)
      if (!(data_[i] == o.data_[i])) return false;
    return true;
  }

 private:
  // Trivially copyable elements are copied with the whole inline buffer `room_`: a few wide moves instead of a loop.
  static constexpr bool kPlain = std::is_trivially_copyable_v<T> && N * sizeof(T) <= 64;
  void copy_room(const InlineVec& o) noexcept {
    __builtin_memcpy(room_,
                     o.data_ == reinterpret_cast<const T*>(o.room_) ? static_cast<const void*>(o.room_) : o.data_,
                     N * sizeof(T));
    size_ = o.size_;
  }
  T* inline_data() noexcept { return reinterpret_cast<T*>(room_); }
  bool heap() const noexcept { return data_ != reinterpret_cast<const T*>(room_); }
  void grow(size_t n) {
    size_t capacity = capacity_ * 2 < n ? n : capacity_ * 2;
    T* fresh = static_cast<T*>(::operator new(capacity * sizeof(T)));
    std::uninitialized_move(begin(), end(), fresh);
    std::destroy(begin(), end());
    if (heap()) ::operator delete(data_);
    data_ = fresh;
    capacity_ = static_cast<uint32_t>(capacity);
  }
  void take(InlineVec& o) noexcept {
    if (o.heap()) {
      data_ = std::exchange(o.data_, o.inline_data());
      capacity_ = std::exchange(o.capacity_, N);
    } else if constexpr (kPlain) {
      __builtin_memcpy(room_, o.room_, N * sizeof(T));
    } else {
      std::uninitialized_move(o.begin(), o.end(), data_);
      std::destroy(o.begin(), o.end());
    }
    size_ = std::exchange(o.size_, 0);
  }

  T* data_ = inline_data();
  uint32_t size_ = 0;
  uint32_t capacity_ = N;
  alignas(T) unsigned char room_[N * sizeof(T)];
};

}  // namespace ersatz

// Bytes of .npy files, for tests of valid and refused files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ersatz {

/// A file of format 1.0 with this header text and the right header length.
inline std::string npy_file(const std::string& header, const std::string& data, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + header + data;
}

/// An array of a C++ type. `shape` in Python's spelling: `(2, 3)` or `(4,)`.
template <class T>
std::string npy_array(const std::string& descr, const std::string& shape, const std::vector<T>& values,
                      bool fortran_order = false) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
  const std::string data(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return npy_file("{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                      ", 'shape': " + shape + ", }\n",
                  data);
}

}  // namespace ersatz

// The table of dtypes, one row each. All other tables of dtypes are generated from it.
//
//   #define ROW(dtype, short_name, long_name, cpp_type, bytes, kind, c10, pt2, code, bits, lanes, npy, safetensors) ...
//   ERSATZ_DTYPES(ROW)
//
// - short_name: the name in the text form of metadata; long_name: PyTorch's attribute, `torch.float32`.
// - cpp_type: the type of an element in namespace ersatz; bytes: its size.
// - kind: Bool, Unsigned, Signed, Float or Complex.
// - c10: the number in c10::ScalarType; pt2: the number in torch.export's schema, 0 if it has none.
// - code, bits, lanes: DLPack's three fields; if lanes > 1, one element holds several numbers.
// - npy: NumPy's type code without the byte order. If NumPy lacks the dtype, it is the code that ml_dtypes writes
//   (`V2`, `f1`), or empty.
// - safetensors: the name in the header of a safetensors file, empty if that format lacks the dtype.
//
// This header includes nothing, so that plugins and the Python bindings can include it. Add a new dtype as the last
// row, because the order of rows is the order of `DType`. kernels/limited_dtypes.def lists the operators that accept a
// limited dtype.
#pragma once

// clang-format off
#define ERSATZ_DTYPES(X)                                                                                              \
  X(Bool,      "bool",         "bool",             bool,                 1, Bool,     11, 12, 6,   8, 1, "b1",  "BOOL") \
  X(U8,        "u8",           "uint8",            uint8_t,              1, Unsigned,  0,  1, 1,   8, 1, "u1",  "U8") \
  X(I8,        "i8",           "int8",             int8_t,               1, Signed,    1,  2, 0,   8, 1, "i1",  "I8") \
  X(I16,       "i16",          "int16",            int16_t,              2, Signed,    2,  3, 0,  16, 1, "i2",  "I16") \
  X(I32,       "i32",          "int32",            int32_t,              4, Signed,    3,  4, 0,  32, 1, "i4",  "I32") \
  X(I64,       "i64",          "int64",            int64_t,              8, Signed,    4,  5, 0,  64, 1, "i8",  "I64") \
  X(F16,       "f16",          "float16",          half,                 2, Float,     5,  6, 2,  16, 1, "f2",  "F16") \
  X(BF16,      "bf16",         "bfloat16",         bfloat16,             2, Float,    15, 13, 4,  16, 1, "V2",  "BF16") \
  X(F32,       "f32",          "float32",          float,                4, Float,     6,  7, 2,  32, 1, "f4",  "F32") \
  X(F64,       "f64",          "float64",          double,               8, Float,     7,  8, 2,  64, 1, "f8",  "F64") \
  X(C64,       "c64",          "complex64",        std::complex<float>,  8, Complex,   9, 10, 5,  64, 1, "c8",  "C64") \
  X(C128,      "c128",         "complex128",       std::complex<double>, 16, Complex, 10, 11, 5, 128, 1, "c16", "")   \
  X(F8E4M3FN,  "f8e4m3fn",     "float8_e4m3fn",    float8_e4m3fn,        1, Float,    24, 29, 10,  8, 1, "",    "F8_E4M3") \
  X(F8E5M2,    "f8e5m2",       "float8_e5m2",      float8_e5m2,          1, Float,    23, 30, 12,  8, 1, "f1",  "F8_E5M2") \
  X(F8E4M3FNUZ, "f8e4m3fnuz",  "float8_e4m3fnuz",  float8_e4m3fnuz,      1, Float,    26, 31, 11,  8, 1, "",    "")   \
  X(F8E5M2FNUZ, "f8e5m2fnuz",  "float8_e5m2fnuz",  float8_e5m2fnuz,      1, Float,    25, 32, 13,  8, 1, "",    "")   \
  X(F8E8M0FNU, "f8e8m0fnu",    "float8_e8m0fnu",   float8_e8m0fnu,       1, Float,    44, 33, 14,  8, 1, "",    "F8_E8M0") \
  X(F4E2M1FNx2, "f4e2m1fn_x2", "float4_e2m1fn_x2", float4_e2m1fn_x2,     1, Float,    45,  0, 17,  4, 2, "",    "")   \
  X(U16,       "u16",          "uint16",           uint16_t,             2, Unsigned, 27, 28, 1,  16, 1, "u2",  "U16") \
  X(U32,       "u32",          "uint32",           uint32_t,             4, Unsigned, 28, 34, 1,  32, 1, "u4",  "U32") \
  X(U64,       "u64",          "uint64",           uint64_t,             8, Unsigned, 29, 35, 1,  64, 1, "u8",  "U64") \
  X(C32,       "c32",          "complex32",        complex_half,         4, Complex,   8,  9, 5,  32, 1, "",    "")
// clang-format on

// Owns the precompiled header; see OnnxcHelpers.cmake.

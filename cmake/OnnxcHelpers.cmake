# The wrappers that every CMakeLists.txt of this project uses.

# Flags, include roots and the precompiled header shared by all C++ targets.
add_library(onnxc_flags INTERFACE)
target_include_directories(onnxc_flags INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_include_directories(onnxc_flags SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
separate_arguments(ONNXC_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(onnxc_flags INTERFACE ${ONNXC_LLVM_DEFINITIONS})
# -fPIC for executables too, so that all may share the precompiled header.
target_compile_options(onnxc_flags INTERFACE -fPIC
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-unused-parameter -Wno-deprecated-declarations -fno-exceptions>)
# For those who work on the project; other compilers warn of other things.
if(ONNXC_WERROR)
  target_compile_options(onnxc_flags INTERFACE -Werror)
endif()
if(ONNXC_SANITIZE)
  target_compile_options(onnxc_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize=vptr,function -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g1 -O1)
  target_link_options(onnxc_flags INTERFACE -fsanitize=address,undefined)
endif()

# One precompiled header with MLIR's big headers; a file then compiles in two
# seconds instead of ten.
add_library(onnxc_pch STATIC ${PROJECT_SOURCE_DIR}/cmake/Pch.cpp)
target_link_libraries(onnxc_pch PUBLIC onnxc_flags)
target_precompile_headers(onnxc_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Pch.h)

# onnxc_library(NAME SRCS a.cpp ... LINK lib ... [DEPENDS target ...])
# A static library of the compiler that may use MLIR.
function(onnxc_library name)
  cmake_parse_arguments(ARG "" "" "SRCS;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SRCS})
  target_link_libraries(${name} PUBLIC onnxc_flags ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM onnxc_pch)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# onnxc_tablegen(TARGET td-file output-name generator-flags ...)
# Runs mlir-tblgen on a .td of the current folder.
function(onnxc_tablegen target td output)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${output} ${ARGN} EXTRA_INCLUDES ${PROJECT_SOURCE_DIR} ${MLIR_INCLUDE_DIRS})
  set(TABLEGEN_OUTPUT ${TABLEGEN_OUTPUT} PARENT_SCOPE)
endfunction()

# onnxc_executable(NAME SRCS a.cpp ... LINK lib ...)
# A tool that links libMLIR and libLLVM.
function(onnxc_executable name)
  cmake_parse_arguments(ARG "" "" "SRCS;LINK" ${ARGN})
  add_executable(${name} ${ARG_SRCS})
  target_link_libraries(${name} PRIVATE onnxc_flags ${ARG_LINK} MLIR LLVM)
  target_precompile_headers(${name} REUSE_FROM onnxc_pch)
endfunction()

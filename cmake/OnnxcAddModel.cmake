# onnxc_add_model(NAME MODEL file.onnx [TYPE STATIC|SHARED] [MTRIPLE triple]
#                 [MCPU cpu] [DEPENDS file ...] [FLAGS flag ...])
#
# Compiles an ONNX model when the project is built. Linking to the target NAME
# gives the model's code and its headers: #include "NAME.h" or "NAME.hpp". NAME
# is also the prefix of the model's symbols, with '_' for what C does not allow.
# The model is compiled again when it changes, or one of DEPENDS (files with its
# external data). Without MTRIPLE, a project that is cross-compiled passes
# CMAKE_<LANG>_COMPILER_TARGET on.
function(onnxc_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "MODEL;TYPE;MTRIPLE;MCPU" "DEPENDS;FLAGS")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_MODEL)
    message(FATAL_ERROR "onnxc_add_model(${name}): expected MODEL file.onnx "
      "[TYPE STATIC|SHARED] [MTRIPLE t] [MCPU c] [DEPENDS ...] [FLAGS ...], "
      "found MODEL '${ARG_MODEL}' and unknown arguments '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT ARG_TYPE)
    set(ARG_TYPE STATIC)
  endif()
  if(NOT ARG_TYPE MATCHES "^(STATIC|SHARED)$")
    message(FATAL_ERROR "onnxc_add_model(${name}): TYPE is '${ARG_TYPE}', expected STATIC or SHARED")
  endif()
  if(NOT ARG_MTRIPLE AND CMAKE_CROSSCOMPILING)
    set(ARG_MTRIPLE "${CMAKE_CXX_COMPILER_TARGET}")
    if(NOT ARG_MTRIPLE)
      set(ARG_MTRIPLE "${CMAKE_C_COMPILER_TARGET}")
    endif()
  endif()

  get_filename_component(model "${ARG_MODEL}" ABSOLUTE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.onnxc")
  # Not lib${name}: the headers, and the name by which a shared library is found
  # at run time, follow the output's name.
  set(library "${folder}/${name}${CMAKE_${ARG_TYPE}_LIBRARY_SUFFIX}")
  set(headers "${folder}/${name}.h" "${folder}/${name}.hpp")
  set(options ${ARG_FLAGS})
  foreach(option MTRIPLE MCPU)
    if(ARG_${option})
      string(TOLOWER ${option} flag)
      list(APPEND options --${flag}=${ARG_${option}})
    endif()
  endforeach()
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${library}" ${headers}
    COMMAND "${ONNXC_EXECUTABLE}" "${model}" -o "${library}" ${options}
    DEPENDS "${model}" "${ONNXC_EXECUTABLE}" ${ARG_DEPENDS}
    COMMENT "Compiling ${ARG_MODEL}" VERBATIM)
  add_custom_target(${name}_onnxc DEPENDS "${library}" ${headers})

  # An interface in front of the imported library carries the dependency on the
  # step above, which an imported target cannot.
  add_library(${name}_artifact ${ARG_TYPE} IMPORTED)
  set_target_properties(${name}_artifact PROPERTIES IMPORTED_LOCATION "${library}"
    IMPORTED_SONAME "${name}${CMAKE_SHARED_LIBRARY_SUFFIX}")
  add_library(${name} INTERFACE)
  target_include_directories(${name} INTERFACE "${folder}")
  target_link_libraries(${name} INTERFACE ${name}_artifact onnxc::runtime_header)
  add_dependencies(${name} ${name}_onnxc)
endfunction()

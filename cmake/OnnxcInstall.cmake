# Installs the tools, the runtime header and the CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/onnxc)
configure_package_config_file(cmake/onnxcConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/onnxcConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/onnxcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

set_target_properties(onnxc PROPERTIES INSTALL_RPATH ${LLVM_LIBRARY_DIR})
install(TARGETS onnxc onnxc-run RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES runtime/onnxc_runtime.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES cmake/OnnxcAddModel.cmake
  ${PROJECT_BINARY_DIR}/package/onnxcConfig.cmake
  ${PROJECT_BINARY_DIR}/package/onnxcConfigVersion.cmake
  DESTINATION ${package_dir})

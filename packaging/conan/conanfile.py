"""Makes bspscene a package of Conan 2. `conan create packaging/conan` builds the sources two folders above."""
from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps


class BspsceneConan(ConanFile):
    name = "bspscene"
    version = "0.9.0"
    description = "Turns compiled game maps (BSP) into scenes with geometry, lightmaps, textures, lights and entities"
    license = "MIT AND BSD-3-Clause"
    homepage = "https://example.org/bspscene"
    topics = ("bsp", "quake", "half-life", "source-engine", "gltf")
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"cli": [True, False]}
    default_options = {"cli": False}

    def export_sources(self) -> None:
        root = Path(self.recipe_folder).parents[1]
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "native/*", "docs/*",
                        "assimp_importer/CMakeLists.txt", "addon/*"):
            copy(self, pattern, str(root), self.export_sources_folder)

    def requirements(self) -> None:
        for reference in ("jansson/2.14", "libdeflate/1.19", "libjpeg-turbo/3.0.2", "libpng/1.6.43", "stb/cci.20240531",
                          "xz_utils/5.4.5", "zlib/1.3.1"):
            self.requires(reference)

    def build_requirements(self) -> None:
        self.tool_requires("cmake/[>=3.22]")
        self.tool_requires("pkgconf/2.1.0")

    def layout(self) -> None:
        cmake_layout(self)

    def generate(self) -> None:
        # bspscene includes <stb/...>; the package has the headers without a folder.
        stb = Path(self.dependencies["stb"].cpp_info.includedirs[0])
        copy(self, "stb_*.h", str(stb), str(Path(self.build_folder) / "stb/stb"))
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["BSPSCENE_CLI"] = bool(self.options.cli)
        for name in ("TESTS", "ASSIMP", "RENDER"):
            toolchain.cache_variables[f"BSPSCENE_{name}"] = False
        toolchain.cache_variables["STB_INCLUDE_DIR"] = str(Path(self.build_folder) / "stb")
        toolchain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self) -> None:
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self) -> None:
        for name in ("LICENSE", "native/licenses/librequake.txt"):
            copy(self, name, self.source_folder, str(Path(self.package_folder) / "licenses"))
        CMake(self).install()

    def package_info(self) -> None:
        self.cpp_info.libs = ["bspscene"]
        self.cpp_info.set_property("cmake_file_name", "bspscene")
        self.cpp_info.set_property("cmake_target_name", "bspscene::bspscene")
        self.cpp_info.set_property("pkg_config_name", "bspscene")

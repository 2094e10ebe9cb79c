# bspscene for Homebrew. The checksums are filled in when the release is made: packaging/README.md.
class Bspscene < Formula
  desc "Turns compiled game maps (BSP) into scenes, glTF and pictures"
  homepage "https://example.org/bspscene"
  url "https://example.org/bspscene/bspscene-0.9.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license all_of: ["MIT", "BSD-3-Clause"]

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "embree"
  depends_on "jansson"
  depends_on "jpeg-turbo"
  depends_on "libarchive"
  depends_on "libdeflate"
  depends_on "libpng"
  depends_on "meshoptimizer"
  depends_on "openexr"
  depends_on "webp"
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  # Homebrew has no formula for the headers of stb.
  resource "stb" do
    url "https://example.org/bspscene/stb-20230129.tar.gz"
    sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  end

  def install
    (buildpath/"headers/stb").install resource("stb")
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBSPSCENE_TESTS=OFF", "-DBSPSCENE_ASSIMP=OFF",
           "-DSTB_INCLUDE_DIR=#{buildpath}/headers", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/bspscene --version")
    (testpath/"no.bsp").write("no map")
    assert_match "no.bsp", shell_output("#{bin}/bspscene info no.bsp 2>&1", 1)
  end
end

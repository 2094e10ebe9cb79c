# bspscene for Nix: `nix build ./packaging/nix` builds the sources around it.
{
  description = "Turns compiled game maps (BSP) into scenes, glTF and pictures";

  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.stdenv.mkDerivation {
          pname = "bspscene";
          version = "0.9.0";
          src = ../..;
          nativeBuildInputs = with pkgs; [ cmake ninja pkg-config ];
          buildInputs = with pkgs; [
            bzip2 embree jansson libarchive libdeflate libjpeg libpng libwebp meshoptimizer openexr sqlite stb xz zlib
            zstd
          ];
          cmakeFlags = [ "-DBSPSCENE_TESTS=OFF" "-DBSPSCENE_ASSIMP=OFF" ];
          doInstallCheck = true;
          installCheckPhase = ''
            $out/bin/bspscene info ../tests/fixtures/atrium/quake3/maps/atrium.bsp
          '';
          meta = {
            homepage = "https://example.org/bspscene";
            license = with pkgs.lib.licenses; [ mit bsd3 ];
            mainProgram = "bspscene";
          };
        };
      });
    };
}

"""Copies the sources of three.js for the viewer's bundle, without the parts that the viewer never uses. esbuild cannot
drop these parts: the renderer refers to every shader in a table, and makes its headset manager in every page."""
import re
import shutil
from pathlib import Path

# The shaders that are kept: those of the three.js materials that the viewer uses, and what the renderer puts before
# every shader.
BASIC = "ShaderLib/meshbasic"
ALWAYS = ["ShaderChunk/default_vertex", "ShaderChunk/default_fragment", "ShaderChunk/colorspace_pars_fragment",
          "ShaderChunk/tonemapping_pars_fragment"]
INCLUDED = re.compile(r"^\s*#include <(\w+)>", re.M)
GLSL = re.compile(r"/\* glsl \*/\s*`(.*?)`", re.S)
# Files that are replaced by short ones. These have only what the renderer calls.
REPLACED = {
    # Draws in headsets.
    "renderers/webxr/WebXRManager.js": """import { EventDispatcher } from '../../core/EventDispatcher.js';
export class WebXRManager extends EventDispatcher {
	enabled = false;
	isPresenting = false;
	dispose() {}
	setAnimationLoop() {}
	getEnvironmentBlendMode() {}
	hasDepthSensing() { return false; }
}
""",
    # Draws shadows, which the viewer's materials have in their light already.
    "renderers/webgl/WebGLShadowMap.js": """export class WebGLShadowMap {
	enabled = false;
	render() {}
}
""",
    # Makes light from pictures of the surroundings, which only physically based materials use.
    "extras/PMREMGenerator.js": "export class PMREMGenerator {}\n",
}


def copy_parts(three: Path, folder: Path) -> Path:
    """Copies the sources to a folder. Returns the module to import."""
    shutil.copytree(three / "src", folder)
    # The package file lists the modules whose import has no effect. esbuild drops those that nothing uses.
    shutil.copy(three / "package.json", folder)
    for name, text in REPLACED.items():
        if not (folder / name).exists():
            raise SystemExit(f"{three}: no {name}, which {Path(__file__).name} replaces")
        (folder / name).write_text(text, encoding="utf-8")
    shaders = folder / "renderers/shaders"
    kept = with_included(shaders, [BASIC, *ALWAYS])
    for file in sorted(shaders.glob("Shader*/*.glsl.js")):
        name = file.relative_to(shaders).as_posix().removesuffix(".glsl.js")
        text = file.read_text(encoding="utf-8")
        shorter = (lambda found: f"`{short(found[1])}`") if name in kept else "''"
        changed, count = GLSL.subn(shorter, text)
        if count == 0:
            raise SystemExit(f"{file}: no GLSL found")
        file.write_text(changed, encoding="utf-8")
    return folder / "Three.js"


def with_included(shaders: Path, names: list[str]) -> set[str]:
    """Returns these shaders and the chunks that they include, directly or through other chunks."""
    kept, left = set(names), list(names)
    while left:
        text = (shaders / f"{left.pop()}.glsl.js").read_text(encoding="utf-8")
        new = {f"ShaderChunk/{name}" for name in INCLUDED.findall(text)} - kept
        kept |= new
        left += sorted(new)
    return kept


def short(text: str) -> str:
    """Returns GLSL without comments, indentation and empty lines."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    lines = (line.split("//")[0].strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line) + "\n"

"""Sets how Blender draws a material, apart from its nodes: whether its back is drawn, and how it is blended with the
background. EEVEE and Cycles need different settings."""

import bpy
from bspscene import abi

from .shading import Tree, one_side_group


def set_drawing(material: bpy.types.Material, tree: Tree, shader: bpy.types.NodeSocket, record: abi.Material,
                is_blended: bool, mode: str) -> None:
    """Sets how Blender draws a material. `shader` is the surface's shader in `tree`; `mode` is one of MODES."""
    is_sky, is_masked = record.kind == abi.MATERIAL_SKY, record.alpha_mode == abi.ALPHA_MODE_MASK
    material.use_backface_culling = is_sky or record.cull == abi.CULL_BACK
    if hasattr(material, "surface_render_method"):
        material.surface_render_method = "BLENDED" if is_blended else "DITHERED"
    else:
        material.blend_method = "BLEND" if is_blended else "CLIP" if is_masked else "OPAQUE"
    for name in ("use_transparency_overlap", "show_transparent_back"):
        if hasattr(material, name):
            setattr(material, name, False)
            break
    if is_sky and hasattr(material, "shadow_method"):
        material.shadow_method = "NONE"
    if material.use_backface_culling and mode != "EXPORT":
        _cull_in_cycles(material, tree, shader, is_opaque=not is_blended and not is_masked)
    _keep_out_of_light_sampling(material)


def _cull_in_cycles(material: bpy.types.Material, tree: Tree, shader: bpy.types.NodeSocket, is_opaque: bool) -> None:
    node = tree.add("ShaderNodeGroup", node_tree=one_side_group(tree.made))
    tree.link(shader, node.inputs["Shader"])
    end = tree.add("ShaderNodeOutputMaterial", label="Cycles: one side", target="CYCLES")
    tree.link(node.outputs["Shader"], end.inputs["Surface"])
    if is_opaque:   # the nodes need not be evaluated for shadow rays, because the surface stops all light
        owner = material if hasattr(material, "use_transparent_shadow") else getattr(material, "cycles", None)
        if owner is not None:
            owner.use_transparent_shadow = False


def _keep_out_of_light_sampling(material: bpy.types.Material) -> None:
    """Disables light sampling of emissive materials in Cycles: nothing in the map receives light from them, so sampling
    them would only cost time."""
    cycles = getattr(material, "cycles", None)
    if cycles is None:
        return
    if hasattr(cycles, "emission_sampling"):
        cycles.emission_sampling = "NONE"
    elif hasattr(cycles, "sample_as_light"):
        cycles.sample_as_light = False

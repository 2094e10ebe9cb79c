"""The table of import options, from which operator properties, the script API and the library's options are made. No
bpy."""
from collections.abc import Sequence
from typing import Any, NamedTuple


class Option(NamedTuple):
    name: str
    kind: str                                    # "enum", "bool", "float", "int" or "text"
    default: Any
    label: str
    description: str
    items: Sequence[tuple[str, str, str]] = ()   # identifier, label and description of each value of an enum
    limits: tuple[float, float] = (0, 0)


# Groups of options in the import dialog. The first group has no title and is always open.
GROUPS = (
    ("", ("shading", "animate", "sky_world", "textures", "missing", "filtering", "again", "keep_materials")),
    ("Lightmap", ("lightmaps", "hdr", "lightmap_page_size", "brightness", "intensity")),
    ("Objects", ("models", "lights", "cameras", "entities", "from_classname", "hidden",
                 "rigs", "skin", "one_collision", "meters_per_unit", "patch_error")),
    ("Files", ("map", "engine", "entity_source", "texture_files", "game_paths")),
)

WITHOUT_PAGES = ("VERTICES", "TEXTURES")   # values of "lightmaps" for which an import makes no lightmap pages

OPTIONS = (
    Option("shading", "enum", "GAME", "Materials", "How surfaces are lit", (
        ("GAME", "As in the game", "Texture times lightmap, without lamps"),
        ("LIGHT", "Light alone", "The lightmap without textures, without lamps"),
        ("RELIGHT", "For new lighting", "Plain surfaces without the lightmap, lit by the scene's lamps"),
        ("EXPORT", "For export", "Plain surfaces with their images, which Blender's exporters keep"))),
    Option("lightmaps", "enum", "AUTO", "Lightmaps", "Where the lightmap's pages are stored", (
        ("AUTO", "Automatic", "As files next to the .blend; packed if the .blend was never saved"),
        ("FILES", "Files", "PNG or EXR files next to the .blend, or next to the map if the .blend was never saved"),
        ("PACK", "Packed", "Inside the .blend"),
        ("VERTICES", "In the vertices",
         "No pages: meshes are subdivided so that vertex colors have the light, which every program can show"),
        ("TEXTURES", "In the textures",
         "No pages: one picture has both texture and light, for programs without lightmaps"),
        ("NONE", "None", "No lightmaps"))),
    Option("hdr", "bool", False, "HDR lightmaps", "Linear, unclamped light as EXR pages"),
    Option("brightness", "enum", "GAME", "Intensity", "Brightness of light on textures", (
        ("GAME", "The game's", "As in the game's engine: 1 in most games, 2 by default in Quake II"),
        ("FACTOR", "Own", "The factor below"))),
    Option("intensity", "float", 1.0, "Factor", "Factor for light on textures, used if \"Intensity\" is \"Own\"",
           limits=(0.0, 16.0)),
    Option("textures", "bool", True, "Textures", "Find and load the images of the materials"),
    Option("missing", "enum", "PLAIN", "Missing textures", "What replaces missing textures", (
        ("PLAIN", "Plain", "The texture's mean color if the map stores it, else gray, and a plain sky"),
        ("CHECKER", "Checker", "A conspicuous checkerboard"))),
    Option("models", "enum", "ALL", "Models", "Props and other models that stand in the map", (
        ("ALL", "All", "Props, items and monsters"),
        ("STATIC", "Static", "Only models that the game neither moves nor creates while it runs"),
        ("NONE", "None", "Empties with the models' names"))),
    Option("rigs", "enum", "STILL", "Movement", "Whether models can move", (
        ("STILL", "Still", "Models have the pose in which the game first shows them"),
        ("RIGGED", "Rigged",
         "Bones and weights, or shape keys, and an action for each sequence; takes long in maps with many models"))),
    Option("skin", "int", 0, "Skin", "Number of the skin, for a model that is imported by itself", limits=(0, 255)),
    Option("texture_files", "enum", "PACK", "Keep textures", "Where the materials' images are stored", (
        ("PACK", "Packed", "Inside the .blend"),
        ("FILES", "Files",
         "Files in the folder \"textures\" next to the .blend, or next to the map if the .blend was never saved"))),
    Option("engine", "enum", "AUTO", "Engine", "The engine whose rendering the import follows", (
        ("AUTO", "Automatic", "DarkPlaces for its own games, else the engine of the map's format"),
        ("ORIGINAL", "The map's own", "The engine for which the map's format was made"),
        ("DARKPLACES", "DarkPlaces", "Nexuiz, Xonotic: maps in Quake III's format are lit differently"))),
    Option("entity_source", "enum", "BESIDE", "Entities from",
           "Where entities come from if a file next to the map has others", (
        ("BESIDE", "Nearby files", "From maps/NAME.ent or Source's NAME_l_0.lmp if it exists, as in the game"),
        ("MAP", "The map", "The entities in the map's file"))),
    Option("filtering", "enum", "Linear", "Texture filter", "How texels are shown", (
        ("Linear", "Smooth", "Blend neighboring texels"),
        ("Closest", "Pixels", "Show texels as squares"))),
    Option("animate", "bool", True, "Animate",
           "Let light styles flicker and surfaces scroll and glow with the scene's frames"),
    Option("sky_world", "bool", False, "Sky as world", "Make the map's sky the background of the scene"),
    Option("lights", "bool", True, "Lights", "Import the lights of the map as lamps"),
    Option("cameras", "bool", True, "Cameras", "Import spawn points and cameras as cameras"),
    Option("entities", "bool", True, "Entities", "Import point entities as empties with their keys"),
    Option("from_classname", "bool", True, "Entities by class",
           "One collection for all entities of a class, and for all props of a model"),
    Option("hidden", "bool", True, "Hidden surfaces",
           "Import tool and collision surfaces, hidden and in excluded collections"),
    Option("one_collision", "bool", False, "One collision object",
           "All collision surfaces as one mesh, for physics, instead of one for each hull and material"),
    Option("again", "enum", "NEW", "If imported before", "What to do with an earlier import of the same map", (
        ("NEW", "Add a copy", "Keep the earlier import unchanged, so that the map is in the scene twice"),
        ("REPLACE", "Replace it", "Remove the earlier import, but keep objects that you added to it"),
        ("UPDATE", "Keep my edits",
         "Update the objects of the earlier import; keep their modifiers and the positions to which you moved them"))),
    Option("keep_materials", "bool", True, "Keep edited materials",
           "Use the materials of an earlier import of the same map without changes"),
    Option("meters_per_unit", "float", 0.0254, "Meters per unit", "Size of a game unit", limits=(1e-5, 1000.0)),
    Option("patch_error", "float", 4.0, "Curve error", "Largest distance of a curve from its triangles, in game units",
           limits=(0.25, 1024.0)),
    Option("lightmap_page_size", "int", 4096, "Page size", "Largest side of a lightmap page", limits=(16, 16384)),
    Option("map", "text", "", "Map", "Name of the map in an archive with several of them"),
    Option("game_paths", "text", "", "Game directories",
           "Further game directories or archives to search for textures, separated by semicolons"),
)


def with_brightness(given: dict[str, Any]) -> dict[str, Any]:
    """Adds the option "brightness" with the value "FACTOR" for scripts that set only a factor. Older versions had only
    the factor, where 0 meant the game's own brightness."""
    if given.get("intensity") and "brightness" not in given:
        return dict(given, brightness="FACTOR")
    return given


def light_factor(values: dict[str, Any]) -> float:
    """Returns the factor by which light multiplies textures, or 0 for the game's own factor."""
    return float(values["intensity"]) if values["brightness"] == "FACTOR" else 0.0


def complete(given: dict[str, Any]) -> dict[str, Any]:
    """Returns all options with their values. Raises TypeError for an unknown name and ValueError for a value out of
    range."""
    given = with_brightness(given)
    known = {option.name: option for option in OPTIONS}
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise TypeError(f"unknown option {unknown[0]!r}; there are {', '.join(known)}")
    values = {option.name: given.get(option.name, option.default) for option in OPTIONS}
    for option in OPTIONS:
        value = values[option.name]
        if option.kind == "enum" and value not in [item[0] for item in option.items]:
            raise ValueError(f"{option.name}: {value!r} is not one of {', '.join(item[0] for item in option.items)}")
        if option.kind in ("float", "int") and not option.limits[0] <= value <= option.limits[1]:
            raise ValueError(f"{option.name}: {value!r} is not between {option.limits[0]} and {option.limits[1]}")
    return values

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
    items: Sequence[tuple[str, str, str]] = ()   # of an enum: identifier, label, description
    limits: tuple[float, float] = (0, 0)


# The options as the import dialog shows them; the first group is always open.
GROUPS = (
    ("", ("shading", "animate", "sky_world", "textures", "missing", "filtering", "again", "keep_materials")),
    ("Lightmap", ("lightmaps", "hdr", "lightmap_page_size", "brightness", "intensity")),
    ("Objects", ("models", "lights", "cameras", "entities", "from_classname", "hidden",
                 "rigs", "skin", "one_collision", "meters_per_unit", "patch_error")),
    ("Files", ("map", "engine", "entity_source", "texture_files", "game_paths")),
)

WITHOUT_PAGES = ("VERTICES", "TEXTURES")   # values of "lightmaps" whose light is in the map, but on no page

OPTIONS = (
    Option("shading", "enum", "GAME", "Materials", "How surfaces get their light", (
        ("GAME", "As in the game", "Texture times lightmap, shown without any lamp"),
        ("LIGHT", "Light alone", "The lightmap without textures, shown without any lamp"),
        ("RELIGHT", "For new lighting", "Plain surfaces without the lightmap, lit by the scene's lamps"),
        ("EXPORT", "For export", "Plain surfaces with their images, which Blender's exporters keep"))),
    Option("lightmaps", "enum", "AUTO", "Lightmaps", "Where the pages of the lightmap go", (
        ("AUTO", "Automatic", "Files beside a saved .blend, packed into one that was never saved"),
        ("FILES", "Files", "PNG or EXR files beside the .blend, or beside the map when it was never saved"),
        ("PACK", "Packed", "Inside the .blend"),
        ("VERTICES", "In the vertices",
         "No pages: meshes are divided until their corners' colors are the light, which every program can show"),
        ("TEXTURES", "In the textures",
         "No pages: texture and light are one picture, for programs that know no lightmap"),
        ("NONE", "None", "No lightmaps"))),
    Option("hdr", "bool", False, "HDR lightmaps", "Linear, unclamped light as EXR pages"),
    Option("brightness", "enum", "GAME", "Intensity", "How bright light is on textures", (
        ("GAME", "The game's", "As its engine shows it: 1 in most games, 2 in Quake II, where players can change it"),
        ("FACTOR", "Own", "As many times as \"Factor\" says"))),
    Option("intensity", "float", 1.0, "Factor", "Factor of the light on textures, with \"Own\" for \"Intensity\"",
           limits=(0.0, 16.0)),
    Option("textures", "bool", True, "Textures", "Find and load the images of the materials"),
    Option("missing", "enum", "PLAIN", "Missing textures", "What stands in for textures that are not at hand", (
        ("PLAIN", "Plain", "Their mean color where the map knows it, else gray, and a plain sky"),
        ("CHECKER", "Checker", "Squares that nobody overlooks"))),
    Option("models", "enum", "ALL", "Models", "Props and other models that stand in the map", (
        ("ALL", "All", "Props, items and monsters"),
        ("STATIC", "Static", "Not what the game moves or makes while it runs"),
        ("NONE", "None", "Empties with the models' names"))),
    Option("rigs", "enum", "STILL", "Movement", "Whether models can move", (
        ("STILL", "Still", "Models stand as the game shows them first"),
        ("RIGGED", "Rigged",
         "Bones and weights, or shape keys, and an action for each sequence; takes long in maps with many models"))),
    Option("skin", "int", 0, "Skin", "Number of the skin of a model that is imported by itself", limits=(0, 255)),
    Option("texture_files", "enum", "PACK", "Keep textures", "Where the images of the materials go", (
        ("PACK", "Packed", "Inside the .blend"),
        ("FILES", "Files",
         "Files in the folder \"textures\" beside the .blend, or beside the map when it was never saved"))),
    Option("engine", "enum", "AUTO", "Engine", "Whose way of drawing the map is shown with", (
        ("AUTO", "Automatic", "DarkPlaces where the game is one of its games, else the map's own"),
        ("ORIGINAL", "The map's own", "The engine that the map's format was made for"),
        ("DARKPLACES", "DarkPlaces", "Nexuiz, Xonotic: maps in Quake III's format are lit differently"))),
    Option("entity_source", "enum", "BESIDE", "Entities from",
           "Whose entities count if a file next to the map has others", (
        ("BESIDE", "Nearby files", "As the game's engines do: maps/NAME.ent, or NAME_l_0.lmp of Source"),
        ("MAP", "The map", "What was compiled into the map"))),
    Option("filtering", "enum", "Linear", "Texture filter", "How texels are shown", (
        ("Linear", "Smooth", "Blend neighboring texels"),
        ("Closest", "Pixels", "Show texels as squares"))),
    Option("animate", "bool", True, "Animate",
           "Let light styles flicker and surfaces scroll and glow with the scene's frames"),
    Option("sky_world", "bool", False, "Sky as world", "Make the map's sky the background of the scene"),
    Option("lights", "bool", True, "Lights", "Import the lights that the map's compiler saw"),
    Option("cameras", "bool", True, "Cameras", "Import spawn points and cameras as cameras"),
    Option("entities", "bool", True, "Entities", "Import point entities as empties with their keys"),
    Option("from_classname", "bool", True, "Entities by class",
           "One collection for all entities of a class, and for all props of a model"),
    Option("hidden", "bool", True, "Hidden surfaces",
           "Import tool and collision surfaces, hidden and in excluded collections"),
    Option("one_collision", "bool", False, "One collision object",
           "All collision surfaces as one mesh, for physics, instead of one for each hull and material"),
    Option("again", "enum", "NEW", "If imported before", "What happens to an earlier import of the same map", (
        ("NEW", "Add a copy", "The earlier import stays as it is, and the map is in the scene twice"),
        ("REPLACE", "Replace it", "The earlier import goes; objects that were added to it stay"),
        ("UPDATE", "Keep my edits",
         "Objects of the earlier import stay, with modifiers and where they were moved to, and get what is new"))),
    Option("keep_materials", "bool", True, "Keep edited materials",
           "Use the materials of an earlier import of the same map as they are now"),
    Option("meters_per_unit", "float", 0.0254, "Meters per unit", "Size of a game unit", limits=(1e-5, 1000.0)),
    Option("patch_error", "float", 4.0, "Curve error", "Largest distance of a curve from its triangles, in game units",
           limits=(0.25, 1024.0)),
    Option("lightmap_page_size", "int", 4096, "Page size", "Largest side of a lightmap page", limits=(16, 16384)),
    Option("map", "text", "", "Map", "Name of the map in an archive with several of them"),
    Option("game_paths", "text", "", "Game directories",
           "Further game directories or archives to search for textures, separated by semicolons"),
)


def with_brightness(given: dict[str, Any]) -> dict[str, Any]:
    """Sets "brightness" to "FACTOR" for scripts that set only a factor: older versions had only that, with 0 for the
    game's own brightness."""
    if given.get("intensity") and "brightness" not in given:
        return dict(given, brightness="FACTOR")
    return given


def light_factor(values: dict[str, Any]) -> float:
    """The factor for light on textures; 0 for the game's own."""
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
            raise ValueError(f"{option.name}: {value!r} is none of {', '.join(item[0] for item in option.items)}")
        if option.kind in ("float", "int") and not option.limits[0] <= value <= option.limits[1]:
            raise ValueError(f"{option.name}: {value!r} is not within {option.limits[0]} to {option.limits[1]}")
    return values

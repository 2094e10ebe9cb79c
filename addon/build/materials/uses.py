"""Lists the images that a material uses, including those whose files are missing. Also collects facts that tell whether
a material looks the same in two loads of a map."""
import ctypes

from bspscene import abi
from bspscene.scene import Scene, text


def looks_of(scene: Scene) -> dict[str, str]:
    """Returns all facts that the game has about each material, by the material's name. The facts change when new
    scripts or images are found."""
    images = [(image.name, image.is_missing) for image in scene.images()]
    found: dict[str, str] = {}
    for record in scene.items("materials"):
        passes = scene.data.material_passes[record.first_pass:record.first_pass + record.pass_count]
        names = sorted(images[number] for number in image_numbers(scene, record))
        facts = [names, _facts(record), *(_facts(one.contents) for one in passes)]
        name = text(record.name) or "unnamed"
        found[name] = found.get(name, "") + repr(facts)
    return found


def _facts(value) -> object:
    """Returns the numbers and strings of a record. Leaves out indices into the scene's lists, because they also change
    for other reasons."""
    if isinstance(value, ctypes.Structure):
        fields = [field[0] for field in value._fields_]
        return [_facts(getattr(value, name)) for name in fields if not name.startswith("first_")
                and not name.endswith("image")]
    if isinstance(value, ctypes.Array):
        return [_facts(item) for item in value]
    if isinstance(value, ctypes._Pointer):
        return _facts(value.contents) if value else None
    return value


def image_numbers(scene: Scene, record: abi.Material) -> set[int]:
    """Returns the numbers of all images that a material can show."""
    frames, passes = scene.data.frame_images, scene.data.material_passes
    numbers = {record.base_image, record.second_image, record.emissive_image, record.normal_image}
    for index in range(record.first_pass, record.first_pass + record.pass_count):
        stage = passes[index].contents
        numbers.update(frames[stage.first_frame_image:stage.first_frame_image + stage.frame_image_count])
    if record.animation:
        animation = record.animation.contents
        for first in (animation.first_frame_image, animation.first_emissive_image):
            if first != abi.NO_INDEX:
                numbers.update(frames[first:first + animation.frame_image_count])
    if record.sky:
        sky = record.sky.contents
        numbers.update([*sky.box, *sky.layers])
    return numbers - {abi.NO_INDEX}

"""Lists the images that a material uses, found or not."""
from ...native import abi
from ...native.scene import Scene, text


def missing_images(scene: Scene) -> dict[str, frozenset[str]]:
    """Names of materials that lack images, and the names of these images."""
    missing = {number: image.name for number, image in enumerate(scene.images()) if image.is_missing}
    found: dict[str, frozenset[str]] = {}
    for record in scene.items("materials"):
        names = frozenset(missing[number] for number in image_numbers(scene, record) if number in missing)
        if names:
            name = text(record.name) or "unnamed"
            found[name] = found.get(name, frozenset()) | names
    return found


def image_numbers(scene: Scene, record: abi.Material) -> set[int]:
    """Of everything that a material can show."""
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

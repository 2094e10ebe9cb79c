"""Reports that are longer than the status bar."""
import bpy


def tell(operator: bpy.types.Operator, report: str, title: str, lines: list[str]) -> None:
    """The first line in the status bar, all in a text that the Text Editor shows."""
    shown = bpy.data.texts.get(report) or bpy.data.texts.new(report)
    shown.write("\n".join([title, *lines, "", ""]))
    operator.report({"INFO"}, f"{title}: {lines[0]}")

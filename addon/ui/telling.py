"""Reports that are longer than the status bar."""
import bpy


def tell(operator: bpy.types.Operator, report: str, title: str, lines: list[str]) -> None:
    """Shows the first line in the status bar, and all in a text for the Text Editor."""
    shown = bpy.data.texts.get(report) or bpy.data.texts.new(report)
    shown.write("\n".join([title, *lines, "", ""]))
    operator.report({"INFO"}, f"{title}: {lines[0]}")

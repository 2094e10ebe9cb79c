"""The report of an import, for the status bar and the Text Editor."""
from .translations import say, shown


class Report:
    """The report of an import: repairs, missing files, and the places that were searched for them."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.missing_textures: list[str] = []
        self.searched: list[str] = []
        self.models: list[str] = []   # names of missing models, which are replaced by empties
        self.companions: list[str] = []   # for each file next to the map: that it was used, or why not

    def lacks(self) -> list[str]:
        """Returns what is missing, as a few words for each kind of file."""
        textures, models = len(self.missing_textures), len(self.models)
        kinds = ((textures, say("1 texture") if textures == 1 else say("{count} textures", count=textures)),
                 (models, say("1 model") if models == 1 else say("{count} models", count=models)))
        return [words for count, words in kinds if count]

    def lines(self) -> list[str]:
        """Returns the lines of the report. First comes what is missing and what would help, then names of missing
        files, then the rest."""
        lines, lacks = [], self.lacks()
        if lacks:
            menu = " > ".join([shown("Object"), shown("Game map"), shown("Find missing textures")])
            lines += [say("{what} missing; find them with {menu}", what=say(" and ").join(lacks), menu=menu)]
        if self.missing_textures:
            lines += ["Textures that were not found:"] + [f"  {name}" for name in self.missing_textures]
        if self.models:
            lines += ["Models that were not found and are empties:"] + [f"  {name}" for name in self.models]
        if lacks:
            lines += ["Searched in:"] + [f"  {place}" for place in self.searched or ["(no game directory)"]]
        if self.companions:
            lines += ["Files next to the map:"] + [f"  {file}" for file in self.companions]
        return lines + self.warnings

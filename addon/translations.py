"""Translations of the add-on's texts. The English texts are in the code; a test finds texts without a translation."""
import bpy

GERMAN = {
    # Options
    "Materials": "Materialien",
    "How surfaces are lit": "Woher Flächen ihr Licht bekommen",
    "As in the game": "Wie im Spiel",
    "Texture times lightmap, without lamps": "Textur mal Lightmap, ohne Lampen zu sehen",
    "Light alone": "Nur Licht",
    "The lightmap without textures, without lamps": "Die Lightmap ohne Texturen, ohne Lampen zu sehen",
    "For new lighting": "Für neues Licht",
    "Plain surfaces without the lightmap, lit by the scene's lamps":
        "Einfache Flächen ohne Lightmap, beleuchtet von den Lampen der Szene",
    "In the textures": "In den Texturen",
    "No pages: one picture has both texture and light, for programs without lightmaps":
        "Keine Seiten: Textur und Licht sind ein Bild, für Programme, die keine Lightmap kennen",
    "Exporters lose the images of these materials: choose \"For export\" first":
        "Exporter behalten keine Bilder dieser Materialien: vorher \"Für den Export\" wählen",
    "Layers": "Ebenen",
    "See the text \"{name}\"": "Siehe den Text \"{name}\"",
    "Show or hide": "Zeigen oder verbergen",
    "Show these objects of imported maps, or hide them again, also where the map is linked":
        "Diese Objekte importierter Karten zeigen oder wieder verbergen, auch wo die Karte verknüpft ist",
    "Copy for export, with light": "Kopie für den Export, mit Licht",
    "Make a copy of imported maps for programs that know no lightmap: texture and light are one picture, which\n"
    "Blender's exporters keep, glTF as an unlit material. The map itself is taken out of the view layer":
        "Eine Kopie importierter Karten für Programme, die keine Lightmap kennen: Textur und Licht sind ein Bild, das "
        "Blenders Exporter behalten, glTF als unbeleuchtetes Material. Die Karte selbst kommt aus der Ansichtsebene",
    "Models": "Modelle",
    "Props and other models that stand in the map": "Gegenstände und andere Modelle, die in der Karte stehen",
    "All": "Alle",
    "Props, items and monsters": "Gegenstände, was man aufnimmt und Monster",
    "Static": "Feste",
    "Only models that the game neither moves nor creates while it "
    "runs": "Nicht, was das Spiel bewegt oder erst erzeugt",
    "Empties with the models' names": "Leere Objekte mit den Namen der Modelle",
    "Movement": "Bewegung",
    "Whether models can move": "Ob Modelle sich bewegen können",
    "Still": "Stehend",
    "Models have the pose in which the game first shows them": "Modelle stehen, wie das Spiel sie zuerst zeigt",
    "Rigged": "Mit Skelett",
    "Bones and weights, or shape keys, and an action for each sequence; takes long in maps with many models":
        "Knochen und Gewichte oder Formschlüssel, und eine Aktion je Sequenz; dauert bei vielen Modellen lange",
    "Missing textures": "Fehlende Texturen",
    "What replaces missing textures": "Was anstelle von Texturen zu sehen ist, die fehlen",
    "Plain": "Schlicht",
    "The texture's mean color if the map stores it, else gray, and a plain sky":
        "Ihre mittlere Farbe, wo die Karte sie kennt, sonst Grau, und ein schlichter Himmel",
    "Checker": "Karos",
    "A conspicuous checkerboard": "Karos, die niemand übersieht",
    "For export": "Für den Export",
    "Plain surfaces with their images, which Blender's exporters keep":
        "Einfache Flächen mit ihren Bildern, die Blenders Exporter behalten",
    "Engine": "Engine",
    "The engine whose rendering the import follows": "Nach wessen Art die Karte gezeichnet wird",
    "DarkPlaces for its own games, else the engine of the map's format":
        "DarkPlaces bei dessen Spielen, sonst die der Karte",
    "The map's own": "Die der Karte",
    "The engine for which the map's format was made": "Die Engine, für die das Format der Karte entstand",
    "DarkPlaces": "DarkPlaces",
    "Nexuiz, Xonotic: maps in Quake III's format are lit differently":
        "Nexuiz, Xonotic: Karten in Quake IIIs Format sind anders beleuchtet",
    "Entities from": "Entities aus",
    "Where entities come from if a file next to the map has others":
        "Wessen Entities gelten, wenn eine Datei neben der Karte andere hat",
    "Nearby files": "Datei daneben",
    "From maps/NAME.ent or Source's NAME_l_0.lmp if it exists, as in the game":
        "Wie die Engines des Spiels: maps/NAME.ent, bei Source NAME_l_0.lmp",
    "The map": "Der Karte",
    "The entities in the map's file": "Was in die Karte kompiliert wurde",
    "Lightmaps": "Lightmaps",
    "Where the lightmap's pages are stored": "Wohin die Seiten der Lightmap kommen",
    "Automatic": "Automatisch",
    "As files next to the .blend; packed if the .blend was never saved":
        "Dateien neben einer gespeicherten .blend, sonst in die Datei gepackt",
    "Files": "Dateien",
    "PNG or EXR files next to the .blend, or next to the map if the .blend was never saved":
        "PNG- oder EXR-Dateien neben der .blend, oder neben der Karte, wenn sie nie gespeichert wurde",
    "Packed": "Gepackt",
    "Inside the .blend": "In der .blend",
    "None": "Keine",
    "No lightmaps": "Keine Lightmaps",
    "In the vertices": "In den Ecken",
    "No pages: meshes are subdivided so that vertex colors have the light, which every program can show":
        "Keine Seiten: Meshes werden geteilt, bis die Farben ihrer Ecken das Licht sind, was jedes Programm zeigt",
    "HDR lightmaps": "HDR-Lightmaps",
    "Linear, unclamped light as EXR pages": "Lineares, unbegrenztes Licht als EXR-Seiten",
    "Intensity": "Stärke",
    "Brightness of light on textures": "Wie hell Licht auf Texturen ist",
    "The game's": "Die des Spiels",
    "As in the game's engine: 1 in most games, 2 by default in Quake II":
        "Wie seine Engine es zeigt: 1 in den meisten Spielen, 2 in Quake II, wo sie einstellbar ist",
    "Own": "Eigene",
    "The factor below": "So viel mal, wie \"Faktor\" sagt",
    "Factor": "Faktor",
    "Factor for light on textures, used if \"Intensity\" is \"Own\"":
        "Faktor des Lichts auf Texturen, mit \"Eigene\" bei \"Stärke\"",
    "Textures": "Texturen",
    "Find and load the images of the materials": "Bilder der Materialien suchen und laden",
    "Keep textures": "Texturablage",
    "Where the materials' images are stored": "Wohin die Bilder der Materialien kommen",
    "Files in the folder \"textures\" next to the .blend, or next to the map if the .blend was never saved":
        "Dateien im Ordner \"textures\" neben der .blend, oder neben der Karte, wenn sie nie gespeichert wurde",
    "Skin": "Skin",
    "Number of the skin, for a model that is imported by itself":
        "Nummer des Skins eines Modells, das für sich importiert wird",
    "Skin {number} of 0 to {last}": "Skin {number} von 0 bis {last}",
    "Sequences": "Sequenzen",
    "Play sequence": "Sequenz abspielen",
    "Play this sequence from frame 1, and set the scene's length to it":
        "Diese Sequenz ab Bild 1 abspielen, mit der Szene so lang wie sie",
    "Show skin": "Skin zeigen",
    "Set key": "Schlüssel setzen",
    "Write this value into the key of the entity": "Diesen Wert in den Schlüssel der Entity schreiben",
    "Choose a value": "Wert wählen",
    "Choose one of the values that the game's definitions name":
        "Einen der Werte wählen, die die Definitionen des Spiels nennen",
    "Value": "Wert",
    "Look at a face": "Fläche ansehen",
    "Click on a surface of a map: its texture, luxel and flags are shown in the sidebar. Esc ends":
        "Auf eine Fläche einer Karte klicken: die Seitenleiste zeigt Textur, Luxel und Flags. Esc beendet",
    "There is no surface of a map at this point": "Dort ist keine Fläche einer Karte",
    "Face {number}": "Fläche {number}",
    "No lightmap": "Keine Lightmap",
    "Lightmap page {page}, luxel {x}, {y}": "Lightmap-Seite {page}, Luxel {x}, {y}",
    "Light {red:.2f}, {green:.2f}, {blue:.2f}": "Licht {red:.2f}, {green:.2f}, {blue:.2f}",
    "Surface flags {flags:#x}": "Flächen-Flags {flags:#x}",
    "Contents {flags:#x}": "Inhalt {flags:#x}",
    "Light styles {numbers}": "Lichtstile {numbers}",
    "Mark models as assets": "Modelle als Assets markieren",
    "Mark imported models, and each model of imported maps once, as assets with pictures, in catalogs by their\n"
    "folders. Save the file first: the list of catalogs goes next to it":
        "Importierte Modelle und jedes Modell importierter Karten einmal als Assets mit Bildern markieren, in "
        "Katalogen nach ihren Ordnern. Vorher die Datei speichern: die Liste der Kataloge kommt neben sie",
    "The selected maps have no models": "Die gewählten Karten haben keine Modelle",
    "{count} assets, catalogs in {file}": "{count} Assets, Kataloge in {file}",
    "{count} assets; save the file and mark again for catalogs":
        "{count} Assets; für Kataloge die Datei speichern und noch einmal markieren",
    "Show the model with another of its skins. What you changed stays":
        "Das Modell mit einem anderen seiner Skins zeigen. Was geändert wurde, bleibt",
    "Texture filter": "Texturfilter",
    "How texels are shown": "Wie Texel gezeigt werden",
    "Smooth": "Weich",
    "Blend neighboring texels": "Benachbarte Texel mischen",
    "Pixels": "Pixel",
    "Show texels as squares": "Texel als Quadrate zeigen",
    "Animate": "Animieren",
    "Let light styles flicker and surfaces scroll and glow with the scene's frames":
        "Lichtstile flackern und Flächen wandern und glühen mit den Bildern der Szene",
    "Sky as world": "Himmel als Welt",
    "Make the map's sky the background of the scene": "Den Himmel der Karte zum Hintergrund der Szene machen",
    "Lights": "Lichter",
    "Import the lights of the map as lamps": "Die Lichter importieren, die der Compiler der Karte sah",
    "Cameras": "Kameras",
    "Import spawn points and cameras as cameras": "Startpunkte und Kameras als Kameras importieren",
    "Entities": "Entities",
    "Import point entities as empties with their keys":
        "Punkt-Entities als Leerobjekte mit ihren Schlüsseln importieren",
    "Entities by class": "Entities nach Klassen",
    "One collection for all entities of a class, and for all props of a model":
        "Eine Sammlung für alle Entities einer Klasse und für alle Props eines Modells",
    "Hidden surfaces": "Verborgene Flächen",
    "Import tool and collision surfaces, hidden and in excluded collections":
        "Werkzeug- und Kollisionsflächen importieren, verborgen und in ausgeschlossenen Sammlungen",
    "If imported before": "Schon importiert",
    "What to do with an earlier import of the same map": "Was mit einem früheren Import derselben Karte geschieht",
    "Add a copy": "Neue Kopie",
    "Keep the earlier import unchanged, so that the map is in the scene twice":
        "Der frühere Import bleibt, wie er ist, und die Karte ist zweimal in der Szene",
    "Replace it": "Ersetzen",
    "Remove the earlier import, but keep objects that you added to it":
        "Der frühere Import geht; Objekte, die dazukamen, bleiben",
    "Keep my edits": "Erhalten",
    "Update the objects of the earlier import; keep their modifiers and the positions to which you moved them":
        "Objekte des früheren Imports bleiben, mit Modifikatoren und wohin sie bewegt wurden, und bekommen das Neue",
    "One collision object": "Ein Kollisionsobjekt",
    "All collision surfaces as one mesh, for physics, instead of one for each hull and material":
        "Alle Kollisionsflächen als ein Netz, für Physik, statt eines für jede Hülle und jedes Material",
    "Keep edited materials": "Bearbeitete Materialien behalten",
    "Use the materials of an earlier import of the same map without changes":
        "Materialien eines früheren Imports derselben Karte verwenden, wie sie jetzt sind",
    "Meters per unit": "Meter je Einheit",
    "Size of a game unit": "Größe einer Einheit des Spiels",
    "Curve error": "Kurvenfehler",
    "Largest distance of a curve from its triangles, in game units":
        "Größter Abstand einer Kurve von ihren Dreiecken, in Einheiten des Spiels",
    "Page size": "Seitengröße",
    "Largest side of a lightmap page": "Längste Seite einer Lightmap-Seite",
    "Map": "Karte",
    "Name of the map in an archive with several of them": "Name der Karte in einem Archiv mit mehreren",
    "Game directories": "Spielverzeichnisse",
    "Further game directories or archives to search for textures, separated by semicolons":
        "Weitere Spielverzeichnisse oder Archive mit Texturen, durch Semikolon getrennt",
    "Set up the view": "Ansicht einrichten",
    "Show the map as in the game, from one of its cameras: material preview, the view transform Standard, its sky, no "
    "helpers, and the default cube, lamp and camera hidden":
        "Die Karte wie im Spiel aus einer ihrer Kameras zeigen: Materialvorschau, Ansichtstransformation Standard, "
        "ihr Himmel, keine Hilfen; Würfel, Lampe und Kamera einer neuen Datei verborgen",
    # Groups of options
    "Lightmap": "Lightmap",
    "Objects": "Objekte",
    # Operators, menus, settings
    "Import game map": "Spielkarte importieren",
    "Import a compiled map of Quake, Half-Life, Source, Medal of Honor, Nightfire and their relatives":
        "Eine kompilierte Karte von Quake, Half-Life, Source, Medal of Honor, Nightfire oder Verwandten importieren",
    "Game map (.bsp)": "Spielkarte (.bsp)",
    "Import game model": "Spielmodell importieren",
    "Import a model of Quake, Half-Life, Source, Quake III and their relatives, with its textures":
        "Ein Modell von Quake, Half-Life, Source, Quake III oder Verwandten mit seinen Texturen importieren",
    "Game model (.mdl, .md2, .md3, .iqm)": "Spielmodell (.mdl, .md2, .md3, .iqm)",
    "Show the model as in the game: material preview, the view transform Standard, and the default cube, lamp and "
    "camera hidden":
        "Das Modell wie im Spiel zeigen: Materialvorschau, Ansichtstransformation Standard; Würfel, Lampe und Kamera "
        "einer neuen Datei verborgen",
    "Game map": "Spielkarte",
    "Bake lightmap atlas": "Lightmap-Atlas backen",
    "Bake lightmap atlas...": "Lightmap-Atlas backen ...",
    "Make the lightmap of imported maps again with another encoding, size or mix of light styles":
        "Die Lightmap importierter Karten neu machen: mit anderer Kodierung, Größe oder Mischung der Lichtstile",
    "Encoding": "Kodierung",
    "How the pages store light": "Was die Zahlen der Seiten bedeuten",
    "Whether flickering lights stay separate": "Ob Lichter noch flackern",
    "Which light is written into the copy": "Welches Licht die Kopie bekommt",
    "As in the game (PNG)": "Wie im Spiel (PNG)",
    "Display values, clamped at white as in the engine": "Bildschirmwerte, bei Weiß abgeschnitten wie im Spiel",
    "HDR (EXR)": "HDR (EXR)",
    "Linear, unclamped light": "Lineares, unbegrenztes Licht",
    "Light styles": "Lichtstile",
    "Separate": "Getrennt",
    "A page for each style, mixed by the values of the light styles":
        "Eine Seite je Stil, gemischt nach den Werten der Lichtstile",
    "Merged": "Zusammengefasst",
    "One page with all styles at their values of this frame":
        "Eine Seite mit allen Stilen, wie sie in diesem Bild sind",
    "Pages": "Seiten",
    "Prepare for glTF": "Für glTF vorbereiten",
    "Give imported maps materials that Blender's glTF exporter keeps, the lightmap as occlusion texture":
        "Importierten Karten Materialien geben, die Blenders glTF-Export behält, die Lightmap als Verdeckungstextur",
    "Rebake light": "Licht neu backen",
    "Rebake light...": "Licht neu backen ...",
    "Bake the lightmap of imported maps anew with Cycles: lamps, sky and objects as they are now. The map then shows\n"
    "the new light; nothing is written into any map's file":
        "Die Lightmap importierter Karten mit Cycles neu backen: Lampen, Himmel und Objekte, wie sie jetzt sind. Die "
        "Karte zeigt dann das neue Licht; in die Datei einer Karte wird nichts geschrieben",
    "Samples along a luxel": "Proben längs eines Luxels",
    "A luxel is the mean of this number of samples, squared":
        "Jedes Luxel ist der Mittelwert von so viel mal so vielen Proben",
    "Rays of a sample": "Strahlen einer Probe",
    "More rays take longer and leave less noise": "Mehr Strahlen brauchen länger und lassen weniger Rauschen",
    "Denoise": "Entrauschen",
    "Average luxels of a face that differ only by noise; edges of shadows stay sharp":
        "Luxel einer Fläche, die sich nur im Rauschen unterscheiden, werden ähnlicher; Schattenkanten bleiben",
    "The map's sky": "Der Himmel der Karte",
    "Use the map's sky at the game's strength even if the scene has another world; else use that world":
        "So hell wie im Spiel, wo die Szene eine andere Welt zeigt; sonst leuchtet diese Welt",
    "Light of moving objects": "Licht für Bewegliches",
    "Also bake the light probes by which the game lights players and items":
        "Auch das Licht, mit dem das Spiel Spieler und Gegenstände beleuchtet, an den Punkten, wo es die Karte hat",
    "Rebaking {doing}  {share:.0%}   (Esc: cancel)": "Backe {doing}  {share:.0%}   (Esc: abbrechen)",
    "{map}: \"Light of moving objects\" has {points:,} points, which take {times:.0f} times as long as its faces":
        "{map}: \"Licht für Bewegliches\" hat {points:,} Punkte, {times:.0f}-mal so viel Arbeit wie die Flächen",
    "Rebaking canceled, nothing was changed": "Backen abgebrochen, nichts wurde geändert",
    "Compare old and new light": "Altes und neues Licht vergleichen",
    "Show rebaked maps with the light of the map's file, or with the new light again":
        "Neu gebackene Karten mit dem Licht ihrer Datei zeigen, oder wieder mit dem neuen",
    "The new light is shown": "Das neue Licht ist zu sehen",
    "The light of the map's file is shown": "Das Licht aus der Datei der Karte ist zu sehen",
    "No entity changed": "Keine Entity wurde geändert",
    "The result of \"Rebake light\", else the lightmap pages with your changes":
        "Was \"Licht neu backen\" ergab, sonst die Lightmap-Seiten, seither bemalt",
    "Your changes to entities and to vertices of faces":
        "Was an Entities und an Ecken von Flächen geändert wurde",
    "Write light into map": "Licht in die Karte schreiben",
    "Write the new light of an imported map, or its painted lightmap pages, into a copy of the map that the game\n"
    "loads. The map itself is never changed":
        "Das neue Licht einer importierten Karte, oder ihre bemalten Lightmap-Seiten, in eine Kopie der Karte "
        "schreiben, die das Spiel lädt. Die Karte selbst ändert sich nie",
    "Light": "Licht",
    "Rebaked": "Neu gebacken",
    "The result of \"Rebake light\"": "Was \"Licht neu backen\" gemacht hat",
    "Lightmap pages": "Lightmap-Seiten",
    "The imported pages with your changes":
        "Die Seiten, wie die Karte mit ihnen importiert wurde, seither bemalt",
    "Brightness": "Helligkeit",
    "Factor for rebaked light, which maps can store only up to a limit":
        "Faktor des neu gebackenen Lichts, das Karten bis zu einer Grenze speichern",
    "Report only": "Nur berichten",
    "Report what would be written, without writing": "Sagen, was geschrieben würde, und nichts schreiben",
    "Select objects of only one map, the one to write":
        "Ein Objekt der Karte auswählen, die geschrieben werden soll, und keins einer anderen",
    "No other game": "Kein weiteres Spiel",
    "Only the map's own game, and those in the preferences":
        "Das Spiel, in dem die Karte liegt, und die der Einstellungen",
    "Look for games in Steam's libraries, GOG's folders and other usual places":
        "Spiele in den Bibliotheken von Steam, den Ordnern von GOG und an anderen üblichen Orten suchen",
    "Search installed games": "Installierte Spiele suchen",
    "{count} games found": "{count} Spiele gefunden",
    "{count} maps: choose one next": "{count} Karten: als Nächstes eine wählen",
    "Game: {name}": "Spiel: {name}",
    "The map is not in a game directory": "Kein Spiel darum",
    "Installed game": "Installiertes Spiel",
    "A game to search for files that the map's own game lacks":
        "Ein Spiel, in dem gesucht wird, was das der Karte nicht hat",
    "Write into map": "In die Karte schreiben",
    "Write into map...": "In die Karte schreiben ...",
    "Show what was changed of an imported map's entities: moved, turned, added, copied or deleted objects, other\n"
    "custom properties and lamps. Then write it, and new light, into a copy of the map that the game loads":
        "Zeigen, was an den Entities einer importierten Karte geändert wurde: bewegte, gedrehte, neue, kopierte oder "
        "gelöschte Objekte, andere Eigenschaften und Lampen. Dann das und neues Licht in eine Kopie der Karte "
        "schreiben, die das Spiel lädt",
    "Write what was changed of an imported map's entities, and its new light, into a copy of the map, or the "
    "entities\n"
    "alone into a file that engines read next to it (.ent, _l_0.lmp). The map itself is never changed":
        "Was an den Entities einer importierten Karte geändert wurde, und ihr neues Licht in eine Kopie der Karte "
        "schreiben, oder die Entities allein in eine Datei, die Engines daneben lesen (.ent, _l_0.lmp). Die Karte "
        "selbst bleibt, wie sie ist",
    "These changes will be written; OK asks for the new file": "Das wird anders; OK fragt nach der neuen Datei",
    "Nothing to write: no entity changed": "Nichts zu schreiben: keine Entität ist anders",
    "3D skybox": "3D-Himmel",
    "Show the 3D skybox of imported maps, large and far as the game shows it, or take it out of the view again":
        "Den 3D-Himmel importierter Karten groß und fern zeigen wie das Spiel, oder wieder aus der Ansicht nehmen",
    "Find missing textures": "Fehlende Texturen suchen",
    "Look for textures and models that imported maps lack in the games that are installed, or in a folder, and make\n"
    "what becomes possible: materials, models, the sky":
        "Texturen und Modelle, die importierten Karten fehlen, in installierten Spielen oder einem Ordner suchen und "
        "machen, was damit möglich wird: Materialien, Modelle, den Himmel",
    "Folder": "Ordner",
    "Folder to search; if empty, all installed games":
        "Wo gesucht wird; wenn leer, überall, wo Spiele installiert sind",
    "Add the game's folder...": "Ordner des Spiels hinzufügen ...",
    "{map}: {textures} textures and {models} models found in {place}":
        "{map}: {textures} Texturen und {models} Modelle gefunden in {place}",
    "None of the missing files was found in {count} places": "Nichts, was fehlt, wurde an {count} Orten gefunden",
    "Switch materials": "Materialien umschalten",
    "Show imported maps as in the game, their light alone, lit anew, or with materials that exporters keep. Materials\n"
    "that go stay in the file and come back as they were":
        "Importierte Karten wie im Spiel zeigen, nur ihr Licht, neu beleuchtet oder mit Materialien, die Exporter "
        "behalten. Materialien, die gehen, bleiben in der Datei und kommen zurück, wie sie waren",
    "Selected objects only": "Nur ausgewählte Objekte",
    "If off, all objects of each map that has a selected object":
        "Sonst alles der Karten, von denen etwas ausgewählt ist",
    "Place": "Ort",
    "A game directory, or an archive, to search for textures": "Ein Spielverzeichnis oder Archiv mit Texturen",
    "Game directories and archives to search for textures": "Spielverzeichnisse und Archive mit Texturen",
    "Initial options of the import dialog": "Womit der Importdialog beginnt",
    "Add game directory": "Spielverzeichnis hinzufügen",
    "Add a game directory or archive to search for textures":
        "Ein Spielverzeichnis oder Archiv mit Texturen hinzufügen",
    "Remove game directory": "Spielverzeichnis entfernen",
    "Remove this place from the list": "Diesen Ort aus der Liste entfernen",
    # Messages
    "Importing {doing}  {share:.0%}   (Esc: cancel)": "Importiere {doing}  {share:.0%}   (Esc: abbrechen)",
    "Import canceled, nothing was changed": "Import abgebrochen, nichts wurde geändert",
    "Import canceled, because some of its new data was removed in the meantime":
        "Import beendet: etwas, das er gemacht hatte, wurde inzwischen entfernt",
    "Imported {name}": "{name} importiert",
    "1 texture": "1 Textur",
    "{count} textures": "{count} Texturen",
    "1 model": "1 Modell",
    "{count} models": "{count} Modelle",
    " and ": " und ",
    "Object": "Objekt",
    "{what} missing; find them with {menu}": "Es fehlen {what}; {menu} sucht danach",
    "{name}: {first} (see the text \"{text}\")": "{name}: {first} (siehe Text \"{text}\")",
    "{map}: {pages} pages, {faces} faces": "{map}: {pages} Seiten, {faces} Flächen",
    "{map}: {pages} pages, {faces} faces; {skipped} triangles do not belong to the map any more":
        "{map}: {pages} Seiten, {faces} Flächen; {skipped} Dreiecke sind nicht mehr die der Karte",
    "No imported map has a material to switch":
        "Kein Material einer importierten Karte ist noch umzuschalten",
    "{count} materials switched": "{count} Materialien umgeschaltet",
    "{count} materials switched; save the file first if the exporter copies images":
        "{count} Materialien umgeschaltet; Exporter, die Bilder kopieren, finden sie, wenn die Datei zuvor gespeichert "
        "ist",
}

# Blender looks up names of operators in the context "Operator", and other texts in "*". Its code for German depends on
# its version.
CONTEXTS = ("*", "Operator")
LANGUAGES = {"de_DE": GERMAN, "de": GERMAN}


def say(message: str, **values) -> str:
    """Returns a message in the user's language."""
    translations = bpy.app.translations
    return getattr(translations, "pgettext_rpt", translations.pgettext_iface)(message).format(**values)


def shown(name: str) -> str:
    """Returns a menu's or button's name in the user's language."""
    words: str = bpy.app.translations.pgettext_iface(name)
    return words


def register() -> None:
    bpy.app.translations.register(__package__, {
        language: {(context, english): other for english, other in words.items() for context in CONTEXTS}
        for language, words in LANGUAGES.items()})


def unregister() -> None:
    bpy.app.translations.unregister(__package__)

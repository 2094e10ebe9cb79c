# `convert MAP out.html` writes the viewer's page with the map's files in it, out of a folder or an archive. If the file
# of --viewer is not a viewer's page, or the installation has no page, there is an error and nothing is written.
printf '<title>viewer</title><p id="inside-worker"></p>\n<script type="module">show()</script>\n' >viewer.html
bspscene convert "$ATRIUM/maps/atrium.bsp" out.html --viewer viewer.html
python3 - "$ATRIUM" <<'PYTHON'
import base64, json, pathlib, re, sys
page, game = pathlib.Path("out.html").read_text(), pathlib.Path(sys.argv[1])
files = json.loads(re.search('id="inside-map">(.*?)</script>', page)[1])["files"]
same = 0
for number, path in enumerate(files):
    data = base64.b64decode(re.search(f'id="inside-file-{number}">(.*?)</script>', page)[1], validate=True)
    own = game / re.sub(r"^game/(\d+\.pk3dir/)?", "", path)
    same += data == own.read_bytes()
print(files[0], "and", sorted({pathlib.PurePath(path).suffix for path in files[1:]}), same == len(files) > 10)
rest = re.sub('<script type="(text/plain|application/json)".*?</script>\n', "", page)
print(rest == pathlib.Path("viewer.html").read_text(), page.index("inside-map") < page.index("show()"))
PYTHON
# shellcheck disable=SC2046
make_archive stored.pk3 $(cd "$ATRIUM" && find maps/atrium.bsp textures scripts -type f)
bspscene convert stored.pk3 stored.html --viewer viewer.html --map atrium
[ "$(grep -c 'id="inside-file-' stored.html)" -gt 5 ]
# Options of other formats give a warning. Models, and viewers that are no page, give an error.
bspscene convert "$ATRIUM/maps/atrium.bsp" out.html --viewer viewer.html --lighting baked --compress --sky none
expect 2 bspscene convert "$ATRIUM/models/sample/obelisk.md3" model.html --viewer viewer.html
expect 1 bspscene convert "$ATRIUM/maps/atrium.bsp" none.html --viewer stored.pk3
expect 1 bspscene convert "$ATRIUM/maps/atrium.bsp" none.html --viewer nothing.html
expect 1 bspscene convert "$ATRIUM/maps/atrium.bsp" none.html 2>missing
sed 's/(.*share/(...share/' missing
[ ! -e none.html ]
[ ! -e model.html ]

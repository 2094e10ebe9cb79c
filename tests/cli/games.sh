# `list` without a source lists the installed games, here those below the user's home.
mkdir -p home/Games/quake/id1
: >home/Games/quake/id1/pak0.pak
HOME=$PWD/home bspscene list --quiet | sed -n "s|^$PWD/||p"

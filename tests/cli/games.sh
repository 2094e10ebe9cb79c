# Without a source, `list` lists the installed games. Here these are the games below the user's home.
mkdir -p home/Games/quake/id1
: >home/Games/quake/id1/pak0.pak
HOME=$PWD/home bspscene list --quiet | sed -n "s|^$PWD/||p"

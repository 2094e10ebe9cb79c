# Without a source, list names the games of this machine: here those below a user's home.
mkdir -p home/Games/quake/id1
: >home/Games/quake/id1/pak0.pak
HOME=$PWD/home bspscene list --quiet | sed -n "s|^$PWD/||p"

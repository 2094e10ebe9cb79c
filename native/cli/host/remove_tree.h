/* remove_tree.h - a file, or a folder with all that is in it, away; without following links. */
#ifndef CLI_REMOVE_TREE_H
#define CLI_REMOVE_TREE_H

/* What cannot be removed stays, without a word. */
void cli_remove_tree(const char *path);

#endif

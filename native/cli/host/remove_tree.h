/* remove_tree.h - removes a file or a folder with its contents, without following links. */
#ifndef CLI_REMOVE_TREE_H
#define CLI_REMOVE_TREE_H

/* Removes the path. Ignores files that cannot be removed. */
void cli_remove_tree(const char *path);

#endif

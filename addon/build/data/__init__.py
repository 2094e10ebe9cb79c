"""Datablocks, images and meshes, and how a repeated import finds those of an earlier one."""

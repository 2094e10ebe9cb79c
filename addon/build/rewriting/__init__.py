"""Objects of an imported map as the entities that they are: which, where, with what keys."""

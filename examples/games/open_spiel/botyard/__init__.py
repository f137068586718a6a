"""The part of the Python kit for Botyard that games need."""

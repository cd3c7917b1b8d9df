"""What a world's folder consists of: one module for each published format or family of formats.

Each has `write(world, folder)`, which writes its files and says how many records each of them holds.
"""

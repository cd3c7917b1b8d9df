"""The world that ships: scenes of icons whose truth is known, in the published file formats.

`language` says what can be asked and what is true, `people` simulates who asks and answers, `world`
decides the scenes and games of a seed, and `making` writes them.
"""

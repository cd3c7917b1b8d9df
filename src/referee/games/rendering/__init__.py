"""The one renderer: what reports, people and vision-language models see of the candidates.

`render(scene, style)` draws the things of a scene, `render_pool(pool)` the pictures of a pool. The
candidates are numbered from 1 in their order, everywhere.
"""

from referee.games.rendering.ink import Picture
from referee.games.rendering.scenes import Style, render
from referee.games.rendering.sheets import render_pool

__all__ = ["Picture", "Style", "render", "render_pool"]

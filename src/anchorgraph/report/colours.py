"""Colours of groups, the same in every picture of a page."""

from __future__ import annotations

import colorsys

PALETTE = (
    *("#0077bb", "#ee7733", "#009988", "#cc3311", "#33a5d6", "#ee3377", "#8a8000"),
    *("#aa4499", "#4c9a2a", "#8c6d5a", "#7b6fe0", "#d9a400"),
)
"""Seen on light and dark ground. The first seven can be told apart with any colour vision; the map has names too."""

NO_GROUP = "#8d9298"

GOLDEN_TURN = 0.381966
"""Steps of this part of the colour circle never meet again."""


def group_colour(number: int) -> str:
    """The colour of the group with this number; grey for -1."""
    if number < 0:
        return NO_GROUP
    if number < len(PALETTE):
        return PALETTE[number]
    rgb = colorsys.hls_to_rgb((number * GOLDEN_TURN) % 1, 0.42 + 0.07 * (number % 3), 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)

"""GuessWhich's pools in both formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.datasets import pools
from referee.datasets.pools import LEVELS, Pool
from referee.errors import DataError, UsageError
from referee.games.model import Forms

DATA = Path(__file__).resolve().parent.parent / "data" / "guesswhich"


def test_the_ten_real_pools_have_three_levels_of_twenty(shared: Path) -> None:
    """30 games and 547 distinct pictures."""
    games = list(pools.read(shared / "guesswhich" / "pools.json"))
    assert len(games) == 30
    assert {len(game.pool) for game in games} == {20}
    assert len({picture.id for game in games for picture in game.pool}) == 547
    medium = list(pools.read(shared / "guesswhich" / "pools.json", "medium"))
    assert len(medium) == 10
    assert len({picture.id for game in medium for picture in game.pool}) == 199


def test_the_place_in_a_games_pool_does_not_tell_the_target(shared: Path) -> None:
    """It is the last of each published list; a game's pictures are in an order that is always alike."""
    path = shared / "guesswhich" / "pools.json"
    for pool in pools.load(path):
        assert {names.index(pool.target) for names in pool.levels.values()} == {19}
    games = list(pools.read(path))
    assert games == list(pools.read(path))
    places = [game.target_index for game in games]
    assert len(set(places)) > 10
    assert 5 < sum(places) / len(places) < 14


def test_the_check_counts_the_real_pools(shared: Path) -> None:
    skipped: list[DataError] = []
    (kind,) = pools.FORMATS
    path = shared / "guesswhich" / "pools.json"
    assert kind.recognises(path, path.read_bytes()[:65_536])
    counts = kind.summarise(path, skipped)
    assert not skipped
    assert (counts["pools"], counts["games"], counts["distinct pictures"]) == (10, 30, 547)
    assert (counts["target first"], counts["target last"]) == (0, 30)


def test_the_real_pools_are_written_as_they_were_read(shared: Path, tmp_path: Path) -> None:
    path = shared / "guesswhich" / "pools.json"
    pools.write(tmp_path / "again.json", pools.load(path))
    assert json.loads((tmp_path / "again.json").read_bytes()) == json.loads(path.read_bytes())


@pytest.mark.parametrize("name", ["pools.json", "pools_by_target.json"])
def test_the_small_pools_are_written_as_they_were_read(tmp_path: Path, name: str) -> None:
    """Both formats are recognised and come out as they went in."""
    (kind,) = pools.FORMATS
    assert kind.recognises(DATA / name, (DATA / name).read_bytes())
    pools.write(tmp_path / name, pools.load(DATA / name))
    assert json.loads((tmp_path / name).read_bytes()) == json.loads((DATA / name).read_bytes())


def test_a_pool_by_target_is_a_game_without_level() -> None:
    """The key is the target, which is the first of its list, and the names are files."""
    listed, *_ = pools.load(DATA / "pools_by_target.json")
    assert listed.levels[""][0] == listed.target
    first, *_ = pools.read(DATA / "pools_by_target.json")
    assert (first.id, first.level) == (first.target, "")
    assert {picture.id for picture in first.pool} == set(listed.levels[""])
    assert first.pool[first.target_index].file == first.target
    assert list(pools.read(DATA / "pools_by_target.json", "easy")) == []


def test_people_saw_the_generated_caption() -> None:
    assert next(pools.read(DATA / "pools.json")).caption == "a kite in the sky"
    human = next(pools.read(DATA / "pools.json", captions="human"))
    assert human.caption == "A child flies a red kite."


def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="extreme"):
        list(pools.read(DATA / "pools.json", "extreme"))


def test_the_number_of_an_image_is_found_in_its_name() -> None:
    assert pools.image_number("COCO_val2014_000000514248") == "514248"
    assert pools.image_number("0") == "0"
    assert pools.image_number("a photo") is None


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "target missing": ({"target": ...}, "target"),
    "target elsewhere": ({"target": "COCO_val2014_000000000099"}, "pools.easy"),
    "no pool": ({"pools": {}}, "pools"),
    "empty pool": ({"pools": {"easy": []}}, "pools.easy"),
    "unknown level": ({"pools": {"extreme": ["x"]}}, "pools.extreme"),
    "unnamed level": ({"pools": {"": ["COCO_val2014_000000000012"]}}, "pools"),
    "picture twice": ({"pools": {"hard": ["COCO_val2014_000000000012"] * 2}}, "pools.hard"),
    "pool no list": ({"pools": {"easy": "x"}}, "pools"),
    "picture no name": ({"pools": {"easy": [1.5]}}, "pools"),
    "caption no text": ({"gen_caption": 3}, "gen_caption"),
    "seen before": ({"poolID": "pool-11"}, "poolID"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_pools_are_named_or_collected(tmp_path: Path, name: str) -> None:
    """The error tells file, record, field and what was expected; the other pool survives."""
    changes, field = BAD[name]
    content = json.loads((DATA / "pools.json").read_bytes())
    pool = content[1] | changes
    content[1] = {key: value for key, value in pool.items() if value is not ...}
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(content))
    with pytest.raises(DataError) as caught:
        list(pools.read(path))
    assert caught.value.file == str(path)
    assert caught.value.record == 2
    assert field in (caught.value.field or "")
    assert caught.value.expected
    skipped: list[DataError] = []
    assert len(list(pools.load(path, skipped))) == 1
    assert [str(error) for error in skipped] == [str(caught.value)]


def test_a_target_that_its_pool_lacks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({"a.jpg": ["b.jpg", "c.jpg"], "d.jpg": ["d.jpg", "e.jpg"]}))
    with pytest.raises(DataError, match=r"record a\.jpg"):
        list(pools.read(path))
    skipped: list[DataError] = []
    assert [game.target for game in pools.read(path, None, skipped)] == ["d.jpg"]


NAMES = st.lists(st.integers(0, 10**9).map(str), min_size=1, max_size=5, unique=True).map(tuple)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)


@st.composite
def levelled(draw: st.DrawFn) -> list[Pool]:
    """Pools of the first format, ids in either form."""
    found = []
    for number in draw(st.lists(st.integers(0, 10**6), max_size=3, unique=True)):
        names = draw(NAMES)
        chosen = draw(st.lists(st.sampled_from(LEVELS), min_size=1, max_size=3, unique=True))
        target = draw(st.sampled_from(names))
        forms = Forms(
            game=draw(st.sampled_from(("int", "str"))), scene=draw(st.sampled_from(("int", "str")))
        )
        levels = {level: tuple(draw(st.permutations(names))) for level in chosen}
        captions = draw(TEXTS), draw(TEXTS), draw(TEXTS)
        found.append(Pool(str(number), target, levels, *captions, forms=forms))
    return found


@settings(deadline=None, max_examples=60)
@given(levelled())
def test_written_pools_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, written: list[Pool]
) -> None:
    """Whatever is written is read back equal."""
    path = tmp_path_factory.mktemp("pools") / "pools.json"
    pools.write(path, written)
    assert list(pools.load(path)) == written


def test_pools_with_and_without_levels_do_not_mix(tmp_path: Path) -> None:
    both = [*pools.load(DATA / "pools.json"), *pools.load(DATA / "pools_by_target.json")]
    with pytest.raises(UsageError, match="levels"):
        pools.write(tmp_path / "no.json", both)

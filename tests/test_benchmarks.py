"""The benchmarks can be named, and options reach the one that was."""

from __future__ import annotations

from importlib import import_module

import pytest

from benchmarks.__main__ import names, run


def test_every_benchmark_has_a_main() -> None:
    assert {"kernel", "labelled", "posts", "speed"} <= set(names())
    assert all(callable(import_module(f"benchmarks.{name}").main) for name in names())


def test_an_unknown_benchmark_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["kernels"]) == 2
    assert "no benchmark 'kernels'" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--lists", "5"], ["clicks", "kernel", "--lists", "5"]])
def test_options_need_one_benchmark(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert "need one benchmark" in capsys.readouterr().err


def test_options_reach_the_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["clicks", "--lists", "300"]) == 0
    assert "300" in capsys.readouterr().out

"""The log of a process: one line an event, one form for us and for libraries, no secrets."""

import contextlib
import io
import json
import logging
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Literal

import pytest
import structlog
from pydantic import SecretStr

from kozyr.logs import configure


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Leave no set-up behind."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    show = warnings.showwarning
    yield
    structlog.reset_defaults()
    logging.captureWarnings(capture=False)
    warnings.showwarning = show
    root.handlers[:] = handlers
    root.setLevel(level)


def configured(
    level: Literal["debug", "info", "warning", "error"] = "info",
    form: Literal["auto", "json", "console"] = "auto",
) -> io.StringIO:
    stream = io.StringIO()
    configure(level=level, form=form, stream=stream)
    return stream


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_each_event_is_one_json_line_with_level_and_utc_time_where_there_is_no_terminal() -> None:
    stream = configured()
    structlog.get_logger().info("table_made", table="00-abc", seats=4)
    [line] = lines_of(stream)
    time = datetime.fromisoformat(line.pop("timestamp"))
    assert time.tzinfo == UTC
    assert line == {"event": "table_made", "level": "info", "table": "00-abc", "seats": 4}


def test_libraries_that_log_by_themselves_come_out_in_the_same_form() -> None:
    stream = configured()
    logging.getLogger("redis.connection").warning("lost %s", "it")
    [line] = lines_of(stream)
    del line["timestamp"]
    assert line == {"event": "lost it", "level": "warning", "logger": "redis.connection"}


def test_python_warnings_are_logged() -> None:
    stream = configured()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=True)
        warnings.warn("old", DeprecationWarning, stacklevel=1)
    assert "DeprecationWarning: old" in lines_of(stream)[0]["event"]


def test_standard_error_is_the_one_of_the_moment_whatever_it_was_at_the_start() -> None:
    first, second = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(first):
        configure(level="info", form="auto")
        log = structlog.get_logger().bind()
        log.info("before")
        logging.getLogger("redis").warning("before")
    first.close()
    with contextlib.redirect_stderr(second):
        log.info("after")
        logging.getLogger("redis").warning("after")
    assert [line["event"] for line in lines_of(second)] == ["after", "after"]


def test_events_below_the_level_are_left_out_whoever_logs_them() -> None:
    stream = configured(level="warning")
    structlog.get_logger().info("no")
    logging.getLogger("grpc").info("no")
    assert stream.getvalue() == ""


def test_exception_is_told_with_its_traceback_on_the_same_line() -> None:
    stream = configured()
    try:
        raise ValueError("odd")
    except ValueError:
        structlog.get_logger().exception("failed")
        logging.getLogger("grpc").exception("failed")
    for line in lines_of(stream):
        assert line["exception"].endswith("ValueError: odd")


@pytest.mark.parametrize("form", ["json", "console"])
def test_secrets_are_masked_by_name_by_type_and_by_form(form: Literal["json", "console"]) -> None:
    stream = configured(form=form)
    log = structlog.get_logger()
    log.info("a", token="hidden", seed=b"hidden", token_key="hidden")  # noqa: S106
    log.info("b", key=SecretStr("hidden"), url="redis://me:hidden@host:1/0")
    log.info("c", header="authorization: Bearer hidden")
    logging.getLogger("redis").error("cannot reach %s", "rediss://:hidden@host")
    try:
        raise OSError("redis://hidden@host is away")
    except OSError:
        log.exception("d")
    assert "hidden" not in stream.getvalue()
    assert "host:1/0" in stream.getvalue()


def test_value_without_a_json_form_is_logged_as_text() -> None:
    stream = configured()
    structlog.get_logger().info("odd", value={1, 2})
    assert lines_of(stream)[0]["value"] == "{1, 2}"


def test_console_form_has_no_colours_where_there_is_no_terminal() -> None:
    stream = configured(form="console")
    structlog.get_logger().info("table_made", table="00-abc")
    assert "table_made" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()

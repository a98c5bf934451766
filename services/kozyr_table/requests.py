"""Checks of what clients send."""

import json
import re
from typing import Any, Final

from kozyr.shuffle import NONCE_BYTES_MAX
from kozyr_table.errors import InvalidRequest

REQUEST_ID_CHARS_MAX: Final = 64
TITLE_CHARS_MAX: Final = 80
OPTIONS_CHARS_MAX: Final = 16_384
PAGE_SIZE_DEFAULT: Final = 50
PAGE_SIZE_MAX: Final = 200

_ID: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._:-]{{0,{REQUEST_ID_CHARS_MAX - 1}}}", re.ASCII)


def check_request_id(request_id: str, name: str = "request_id") -> str:
    """The id of a request or a worker, as it may stand in a log.

    Raises:
        InvalidRequest: it is empty, too long, or has other characters.
    """
    if not _ID.fullmatch(request_id):
        raise InvalidRequest(
            f"{name} must be 1 to {REQUEST_ID_CHARS_MAX} letters, digits and ._:-, the first a "
            f"letter or digit (got {request_id[:REQUEST_ID_CHARS_MAX]!r})"
        )
    return request_id


def check_text(name: str, text: str, chars_max: int) -> str:
    """A text for people: printable, trimmed, not too long; it may be empty.

    Raises:
        InvalidRequest: it is not.
    """
    trimmed = text.strip()
    if len(trimmed) > chars_max or not trimmed.isprintable():
        raise InvalidRequest(f"{name} must be at most {chars_max} printable characters")
    return trimmed


def check_nonce(nonce: bytes) -> bytes:
    """What a player adds to the shuffles.

    Raises:
        InvalidRequest: it is too long.
    """
    if len(nonce) > NONCE_BYTES_MAX:
        raise InvalidRequest(f"nonce must be at most {NONCE_BYTES_MAX} bytes, not {len(nonce)}")
    return nonce


def parse_options(text: str) -> dict[str, Any]:
    """Options from their JSON text; empty for none.

    Raises:
        InvalidRequest: it is no JSON object.
    """
    if len(text) > OPTIONS_CHARS_MAX:
        raise InvalidRequest(f"options_json must be at most {OPTIONS_CHARS_MAX} characters")
    try:
        options = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidRequest(f"options_json is not JSON: {error}") from error
    if not isinstance(options, dict):
        raise InvalidRequest("options_json must be a JSON object")
    return options


def page_size(wanted: int) -> int:
    """How many items a page has.

    Raises:
        InvalidRequest: more than allowed are wanted.
    """
    if wanted > PAGE_SIZE_MAX:
        raise InvalidRequest(f"page_size must be at most {PAGE_SIZE_MAX}, not {wanted}")
    return wanted or PAGE_SIZE_DEFAULT

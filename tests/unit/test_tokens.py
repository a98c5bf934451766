"""Tokens: who a caller is, and everything that is no valid token."""

import base64
import json
import time
from typing import Any

import jwt
import pytest

from kozyr.tokens import (
    DEFAULT_TENANT,
    KEY_BYTES_MIN,
    TOKEN_TTL_S,
    Identity,
    InvalidToken,
    mint,
    verify,
)

KEY = "a key that is long enough for any token"
ANN = Identity("ann", "club", name="Ann", roles=frozenset({"bots", "admin"}))


def signed(*, key: str = KEY, algorithm: str = "HS256", **claims: Any) -> str:
    """A token with these claims, whatever they are, signed like ours."""
    whole = {"sub": "ann", "exp": int(time.time()) + 60, **claims}
    given = {name: value for name, value in whole.items() if value is not ...}
    return jwt.encode(given, key, algorithm=algorithm)


def unsigned(**claims: Any) -> str:
    """A token that says it needs no signature."""
    parts = [{"alg": "none", "typ": "JWT"}, {"sub": "ann", "exp": 2**40, **claims}]
    texts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in parts]
    return b".".join([*texts, b""]).decode()


def changed(token: str) -> str:
    """The token with another account in it, under the old signature."""
    head, body, signature = token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    text = json.dumps({**claims, "sub": "bob"}).encode()
    return f"{head}.{base64.urlsafe_b64encode(text).rstrip(b'=').decode()}.{signature}"


def test_token_names_the_identity_it_was_made_for() -> None:
    assert verify(KEY, mint(KEY, ANN)) == ANN


def test_token_of_another_program_needs_an_account_and_an_end_only() -> None:
    assert verify(KEY, signed()) == Identity("ann", DEFAULT_TENANT)


@pytest.mark.parametrize("account", ["guest-0a", "ann@club.example", "9", "a" * 64, "x:y_z.0"])
def test_usual_accounts_are_accounts(account: str) -> None:
    assert verify(KEY, signed(sub=account, ten=account)) == Identity(account, account)


FORGERIES = {
    "nothing": "",
    "no token": "abc",
    "no token in three parts": "a.b.c",
    "not ascii": "é.é.é",
    "of another key": mint("another key that is long enough for it", ANN),
    "changed": changed(mint(KEY, ANN)),
    "cut off": mint(KEY, ANN)[:-4],
    "unsigned": unsigned(),
    "of another algorithm": signed(key=KEY * 2, algorithm="HS512"),
    "expired": mint(KEY, ANN, ttl_s=-1),
    "expired by this second": mint(KEY, ANN, ttl_s=0),
    "without an account": signed(sub=...),
    "without an end": signed(exp=...),
    "valid tomorrow": signed(nbf=int(time.time()) + 86_400),
}


@pytest.mark.parametrize("token", FORGERIES.values(), ids=list(FORGERIES))
def test_what_is_no_valid_token_is_refused(token: str) -> None:
    with pytest.raises(InvalidToken):
        verify(KEY, token)


NONSENSE: dict[str, dict[str, Any]] = {
    "empty account": {"sub": ""},
    "account that is a number": {"sub": 7},
    "account with a slash": {"sub": "a/b"},
    "account with a space": {"sub": "a b"},
    "account of two lines": {"sub": "a\n"},
    "account too long": {"sub": "a" * 65},
    "account that goes up": {"sub": "../ann"},
    "empty tenant": {"ten": ""},
    "tenant that is nothing": {"ten": None},
    "tenant with a slash": {"ten": "a/b"},
    "tenant that goes up": {"ten": ".."},
    "tenant with a hash tag": {"ten": "a{b}"},
    "tenant not ascii": {"ten": "клуб"},
    "roles that are nothing": {"roles": None},
    "roles that are a number": {"roles": 5},
    "roles that are a text": {"roles": "bots"},
    "roles that are no texts": {"roles": [1]},
}


@pytest.mark.parametrize("claims", NONSENSE.values(), ids=list(NONSENSE))
def test_signed_token_that_says_nonsense_is_refused(claims: dict[str, Any]) -> None:
    with pytest.raises(InvalidToken):
        verify(KEY, signed(**claims))


def test_key_that_is_too_short_signs_nothing() -> None:
    with pytest.raises(ValueError, match=f"at least {KEY_BYTES_MIN} bytes"):
        mint("x" * (KEY_BYTES_MIN - 1), ANN)
    assert verify("x" * KEY_BYTES_MIN, mint("x" * KEY_BYTES_MIN, ANN)) == ANN


def test_token_lives_for_the_time_it_is_given() -> None:
    for ttl_s in (60, TOKEN_TTL_S):
        claims = jwt.decode(mint(KEY, ANN, ttl_s=ttl_s), KEY, algorithms=["HS256"])
        assert claims["exp"] - claims["iat"] == ttl_s


def test_refusal_does_not_repeat_the_token() -> None:
    token = changed(mint(KEY, ANN))
    with pytest.raises(InvalidToken) as caught:
        verify(KEY, token)
    assert token.split(".")[1] not in str(caught.value)

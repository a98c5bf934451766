"""Who a caller is: signed tokens (JWT, HS256) that name an account, its tenant and its roles."""

import re
import time
from dataclasses import dataclass
from typing import Final

import jwt

from kozyr.errors import Code, KozyrError

DEFAULT_TENANT: Final = "main"
BOTS_ROLE: Final = "bots"
"""May serve bot seats."""

KEY_BYTES_MIN: Final = 32
TOKEN_TTL_S: Final = 30 * 24 * 3600
ID_CHARS_MAX: Final = 64
NAME_CHARS_MAX: Final = 40
_ALGORITHM: Final = "HS256"
_ID: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._:@-]{{0,{ID_CHARS_MAX - 1}}}", re.ASCII)


class InvalidToken(KozyrError):
    """A token is missing, forged, expired, or says nothing that we understand."""

    reason = "INVALID_TOKEN"
    code = Code.UNAUTHENTICATED


@dataclass(frozen=True, slots=True)
class Identity:
    """An authenticated caller.

    Attributes:
        account: the account's id, unique within the tenant.
        name: how the account wants to be called.
        roles: what it may do beyond playing.
    """

    account: str
    tenant: str = DEFAULT_TENANT
    name: str = ""
    roles: frozenset[str] = frozenset()


def mint(key: str, identity: Identity, *, ttl_s: int = TOKEN_TTL_S) -> str:
    """A token for an identity.

    Raises:
        ValueError: the key is too short.
    """
    if len(key.encode()) < KEY_BYTES_MIN:
        raise ValueError(f"a token key needs at least {KEY_BYTES_MIN} bytes")
    now = int(time.time())
    claims = {
        "sub": identity.account,
        "ten": identity.tenant,
        "name": identity.name,
        "roles": sorted(identity.roles),
        "iat": now,
        "exp": now + ttl_s,
    }
    return jwt.encode(claims, key, algorithm=_ALGORITHM)


def verify(key: str, token: str) -> Identity:
    """The identity that a token names.

    Raises:
        InvalidToken: it is forged, expired or incomplete.
    """
    try:
        claims = jwt.decode(
            token, key, algorithms=[_ALGORITHM], options={"require": ["sub", "exp"]}
        )
    except jwt.PyJWTError as error:
        raise InvalidToken(f"the token is not valid: {error}") from error
    tenant = claims.get("ten", DEFAULT_TENANT)
    roles = claims.get("roles", [])
    if not (_is_id(claims["sub"]) and _is_id(tenant)):
        raise InvalidToken(
            f"the token's sub and ten must be 1 to {ID_CHARS_MAX} letters, digits and ._:@-"
        )
    if not isinstance(roles, list) or not all(isinstance(role, str) for role in roles):
        raise InvalidToken("the token's roles must be a list of texts")
    return Identity(claims["sub"], tenant, _display_name(claims.get("name")), frozenset(roles))


def _display_name(name: object) -> str:
    """What of a platform's name for its user can be shown anywhere."""
    if not isinstance(name, str):
        return ""
    return "".join(mark for mark in name if mark.isprintable()).strip()[:NAME_CHARS_MAX]


def _is_id(value: object) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None

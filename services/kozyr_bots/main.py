"""The bot worker as a process."""

import gc
from collections.abc import Callable

from kozyr.client import Client
from kozyr.plugins import brain_names
from kozyr.settings import InvalidSettings
from kozyr.tokens import BOTS_ROLE, Identity, mint
from kozyr_bots.settings import BotsSettings
from kozyr_bots.worker import Worker

ACCOUNT = "bots"
"""The account of workers that sign their own token."""


async def serve(settings: BotsSettings, *, ready: Callable[[], None]) -> None:
    """Play bots' seats until cancelled; then the last answers are sent and the seats given back.

    Args:
        settings: what the worker is told.
        ready: called once, when the table service has been reached.

    Raises:
        InvalidSettings: there is no token and no key to sign one.
        KozyrError: the table service does not want this worker.
    """
    token = token_of(settings)
    brains = settings.brains or brain_names()
    async with Client.connect(settings.connect, token=token) as client:
        gc.freeze()  # what is loaded by now stays, and need not be looked through again
        await Worker(client, brains=brains, capacity=settings.capacity).run(ready=ready)


def token_of(settings: BotsSettings) -> str:
    """The worker's token: the one that was given, else one that is signed here.

    Raises:
        InvalidSettings: there is no token and no key to sign one.
    """
    if settings.token is not None:
        return settings.token.get_secret_value()
    if settings.token_key is not None:
        identity = Identity(ACCOUNT, roles=frozenset({BOTS_ROLE}))
        return mint(settings.token_key.get_secret_value(), identity)
    raise InvalidSettings(["a bot worker needs a token, or a token_key to sign one"])

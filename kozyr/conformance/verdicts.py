"""How a check ends when it does not simply hold.

::

    Unproven
    ├── Violated        the contract is broken; the message says what, and where
    ├── NotOffered      there is nothing to check: the capability is optional and not offered
    └── NotApplicable   there is nothing to check here: it takes another kind of game or target
"""


class Unproven(Exception):
    """The base of all that keeps a check from holding."""


class Violated(Unproven):
    """The contract is broken."""


class NotOffered(Unproven):
    """What would be checked is optional, and not offered."""


class NotApplicable(Unproven):
    """What would be checked does not occur here."""


def require(condition: bool, complaint: str) -> None:  # noqa: FBT001 (like an assertion)
    """Complain unless the condition holds.

    Raises:
        Violated: it does not.
    """
    if not condition:
        raise Violated(complaint)

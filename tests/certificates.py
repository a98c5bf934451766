"""Certificates of one authority, made anew for each run of the tests."""

from pathlib import Path
from typing import Final

import trustme

NAME: Final = "rules.test"
"""The name in the certificates of the server and of the client."""


class Certificates:
    """An authority's certificate, and a server's and a client's with their keys, as PEM files.

    Attributes:
        authority: the certificate of who signed the others.
        stranger: the certificate of another authority, which signed nothing.
    """

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        self.authority = folder / "authority.pem"
        self.stranger = folder / "stranger.pem"
        authority.cert_pem.write_to_path(str(self.authority))
        trustme.CA().cert_pem.write_to_path(str(self.stranger))
        self.server, self.server_key = _issue(authority, folder, "server")
        self.client, self.client_key = _issue(authority, folder, "client")


def _issue(authority: trustme.CA, folder: Path, name: str) -> tuple[Path, Path]:
    issued = authority.issue_cert(NAME)
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    for blob in issued.cert_chain_pems:
        blob.write_to_path(str(certificate), append=True)
    issued.private_key_pem.write_to_path(str(key))
    return certificate, key

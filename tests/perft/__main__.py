"""``python -m tests.perft regenerate`` counts all deals anew and writes the counts into the files.

Read the difference before it is committed: it is a change of the rules.
"""

import sys

from tests.perft.deals import files, regenerated


def main(arguments: list[str]) -> int:
    """Write all files; the exit status."""
    if arguments != ["regenerate"]:
        sys.stderr.write("usage: python -m tests.perft regenerate\n")
        return 2
    for path in files():
        path.write_text(regenerated(path), encoding="utf-8")
        sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``python -m tests.golden regenerate`` writes the golden playthroughs anew.

Read the difference before it is committed: it is a change of the rules.
"""

import sys

from tests.golden.cases import PLAYTHROUGHS


def main(arguments: list[str]) -> int:
    """Write all files; the exit status."""
    if arguments != ["regenerate"]:
        sys.stderr.write("usage: python -m tests.golden regenerate\n")
        return 2
    for playthrough in PLAYTHROUGHS:
        playthrough.path.parent.mkdir(exist_ok=True)
        playthrough.path.write_text(playthrough.text(), encoding="utf-8")
        sys.stdout.write(f"{playthrough.path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``python -m kozyr_cli`` is the `kozyr` command."""

import sys

from kozyr_cli.main import main

sys.exit(main())

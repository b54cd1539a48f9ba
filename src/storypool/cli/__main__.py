"""`python -m storypool.cli`, where the command itself is not on the path."""

import sys

from storypool.cli import main

sys.exit(main())

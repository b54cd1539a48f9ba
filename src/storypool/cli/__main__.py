"""`python -m storypool.cli`, for when the command itself is not on the path."""

import sys

from storypool.cli import main

sys.exit(main())

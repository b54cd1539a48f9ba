"""How much a game file may be, and how little it may say of what is not its own: it may come from a stranger."""

"""The parts of a game's definition: its kit, turns, questions, moves, panels and waits."""

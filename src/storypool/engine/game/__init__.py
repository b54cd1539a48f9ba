"""What a game is written with: its kit, turns, questions, moves, panels and waits."""

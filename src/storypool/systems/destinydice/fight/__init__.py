"""Conflicts of Destiny Dice: the order of turns, harm, stress."""

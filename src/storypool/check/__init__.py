"""What every game must satisfy: held by its rows, by its own plays and by random play, and told in sentences."""

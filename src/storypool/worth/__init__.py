"""What draws on games and on odds: an action weighed for a seat, tables of odds, which picture shows what."""

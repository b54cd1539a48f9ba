"""Where events are kept: `codec` writes them, `store` says what keeping means, `sqlite` and `memory` keep them."""

"""The storage of events: `codec` encodes them, `store` is the protocol of stores."""

"""Where events are kept: `codec` writes them, `store` is the protocol, `disk`, `shared` and
`memory` keep them.
"""

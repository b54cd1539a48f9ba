"""The types of requests, responses and messages, and the documents that describe them."""

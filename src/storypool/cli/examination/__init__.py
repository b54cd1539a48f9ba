"""What `storypool doctor` looks at: this machine, and what is in front of it. Nothing of it is
secret.
"""

"""What methods share: verbs that a ``fit`` calls. None of them orders the stages."""

"""The client of the decision service; the same as the module `tranche_client`, which also works alone."""

from tranche_client import Refused, TrancheClient

__all__ = ["Refused", "TrancheClient"]

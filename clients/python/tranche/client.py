"""The client of the decision service; the same as the module `tranche_client`, which also works alone."""

from tranche_client import ChildOrder, ChildState, Fill, OrderDetails, OrderState, Refused, TrancheClient

__all__ = ["ChildOrder", "ChildState", "Fill", "OrderDetails", "OrderState", "Refused", "TrancheClient"]

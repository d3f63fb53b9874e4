package io.tranche.market.order;

import io.tranche.market.Order;

/// An order, its name, and where it was read: file and row.
public record NamedOrder(String id, Order order, String place) {}

package io.tranche.run.play;

import io.tranche.env.log.CsvTable;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// How a policy executed a set of orders, one result per order.
///
/// @param policy its name
public record PolicyResults(String policy, List<OrderResult> orders) {

  public PolicyResults {
    orders = List.copyOf(orders);
  }

  /// Returns the mean advantage per order after costs, in basis points; NaN if there are no orders.
  ///
  /// @param side null for both together
  public double meanBps(@Nullable Side side) {
    return mean(side, OrderResult::netAdvantageBps);
  }

  /// Returns the mean filled part of an order; NaN if there are no orders.
  ///
  /// @param side null for both together
  public double completion(@Nullable Side side) {
    return mean(side, OrderResult::completion);
  }

  /// Returns the mean costs of an order in basis points; NaN if there are no orders.
  public double costBps() {
    return mean(null, OrderResult::costBps);
  }

  /// Writes `result.csv`: one row per order, in the order in which they were given.
  ///
  /// @throws DataException if the file cannot be written
  public void writeTo(Path file) {
    var text = new StringBuilder();
    try {
      CsvTable.write(orders.stream().map(OrderResult::row).toList(), text);
      PendingFile.write(file, text.toString());
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  private double mean(@Nullable Side side, ToDoubleFunction<OrderResult> number) {
    return orders.stream()
        .filter(result -> side == null || result.order().side() == side)
        .mapToDouble(number)
        .average()
        .orElse(Double.NaN);
  }

  /// Whether every order ended exactly as it did for `other`.
  public boolean isSameAs(PolicyResults other) {
    return orders.equals(other.orders);
  }

  /// Returns for each order how much better it is here than in `reference`.
  ///
  /// @throws IllegalArgumentException if the orders are not the same, or there are none
  public List<OrderResult> minus(PolicyResults reference) {
    List<OrderResult> theirs = reference.orders;
    if (orders.isEmpty() || orders.size() != theirs.size()) {
      throw new IllegalArgumentException(
          "orders must be the same and at least one, was %d and %d"
              .formatted(orders.size(), theirs.size()));
    }
    var differences = new ArrayList<OrderResult>(orders.size());
    for (int i = 0; i < orders.size(); i++) {
      OrderResult one = orders.get(i);
      OrderResult other = theirs.get(i);
      Order order = one.order();
      if (!order.equals(other.order())) {
        throw new IllegalArgumentException(
            "orders must be the same, was %s and %s".formatted(order, other.order()));
      }
      differences.add(one.minus(other));
    }
    return differences;
  }
}

package io.tranche.work.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.files.Sha256;
import io.tranche.market.Order;
import io.tranche.run.RunParts;
import io.tranche.runtime.ModelSpec;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a configuration says about the model that was trained with it. Closing it closes its run.
///
/// @param parts the run over all its data; null if the configuration does not say what was trained
///   on
/// @param orders the training orders; empty without a run
record TrainedModel(ModelSpec spec, @Nullable RunParts<?> parts, List<Order> orders)
    implements AutoCloseable {

  TrainedModel {
    orders = List.copyOf(orders);
  }

  @Nullable LocalDate firstDay() {
    return orders.stream().map(Order::date).min(LocalDate::compareTo).orElse(null);
  }

  @Nullable LocalDate lastDay() {
    return orders.stream().map(Order::date).max(LocalDate::compareTo).orElse(null);
  }

  /// Returns the digest of all orders, in their order; null without a run.
  @Nullable String ordersSha256() {
    if (parts == null) {
      return null;
    }
    var text = new StringBuilder();
    orders.forEach(order -> text.append(order).append('\n'));
    return Sha256.of(text.toString().getBytes(UTF_8));
  }

  /// Returns the digest of how the bars were made; null if they do not say.
  @Nullable String dataSha256() {
    String origin = parts == null ? null : parts.data().origin();
    return origin == null ? null : Sha256.of(origin.getBytes(UTF_8));
  }

  @Override
  public void close() {
    if (parts != null) {
      parts.close();
    }
  }
}

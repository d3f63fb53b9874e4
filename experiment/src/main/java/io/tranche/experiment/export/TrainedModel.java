package io.tranche.experiment.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.Order;
import io.tranche.policy.archive.Sha256;
import io.tranche.runtime.ModelSpec;
import io.tranche.trainer.InitialStates;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// What a configuration says of the model that was trained with it.
///
/// @param training null if it does not say what was trained on
record TrainedModel(ModelSpec spec, @Nullable Training training) {

  /// What was trained on.
  ///
  /// @param first the first day of its orders
  /// @param last the last day of its orders
  /// @param sha256 of all orders, in their order
  record Training(LocalDate first, LocalDate last, String sha256) {

    static Training of(InitialStates<Order> orders) {
      LocalDate first = LocalDate.MAX;
      LocalDate last = LocalDate.MIN;
      var text = new StringBuilder();
      for (int i = 0; i < orders.size(); i++) {
        Order order = orders.load().apply(i);
        first = order.date().isBefore(first) ? order.date() : first;
        last = order.date().isAfter(last) ? order.date() : last;
        text.append(order).append('\n');
      }
      return new Training(first, last, Sha256.of(text.toString().getBytes(UTF_8)));
    }
  }
}

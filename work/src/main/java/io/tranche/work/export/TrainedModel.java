package io.tranche.work.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.files.Sha256;
import io.tranche.market.Order;
import io.tranche.run.RunParts;
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
  /// @param parts the run, over all its data
  /// @param first the first day of its orders
  /// @param last the last day of its orders
  /// @param ordersSha256 of all orders, in their order
  /// @param dataSha256 of what the bars were made by; null if they do not say
  record Training(
      RunParts<?> parts,
      LocalDate first,
      LocalDate last,
      String ordersSha256,
      @Nullable String dataSha256) {

    static Training of(RunParts<?> parts, InitialStates<Order> orders, @Nullable String madeBy) {
      LocalDate first = LocalDate.MAX;
      LocalDate last = LocalDate.MIN;
      var text = new StringBuilder();
      for (int i = 0; i < orders.size(); i++) {
        Order order = orders.load().apply(i);
        first = order.date().isBefore(first) ? order.date() : first;
        last = order.date().isAfter(last) ? order.date() : last;
        text.append(order).append('\n');
      }
      return new Training(
          parts, first, last, sha256(text.toString()), madeBy == null ? null : sha256(madeBy));
    }

    private static String sha256(String text) {
      return Sha256.of(text.getBytes(UTF_8));
    }
  }
}

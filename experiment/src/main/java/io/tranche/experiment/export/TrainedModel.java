package io.tranche.experiment.export;

import io.tranche.market.Order;
import io.tranche.runtime.ModelSpec;
import io.tranche.trainer.InitialStates;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// What a configuration says of the model that was trained with it.
///
/// @param window null if it does not say what was trained on
record TrainedModel(ModelSpec spec, @Nullable Window window) {

  /// The days of the orders that were trained on, both included.
  record Window(LocalDate first, LocalDate last) {

    static Window of(InitialStates<Order> orders) {
      LocalDate first = orders.load().apply(0).date();
      LocalDate last = first;
      for (int i = 1; i < orders.size(); i++) {
        LocalDate date = orders.load().apply(i).date();
        first = date.isBefore(first) ? date : first;
        last = date.isAfter(last) ? date : last;
      }
      return new Window(first, last);
    }
  }
}

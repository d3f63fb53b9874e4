package io.tranche.serving.http;

import io.tranche.serving.Service;
import io.tranche.serving.predict.Predictions;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What an HTTP server serves.
///
/// @param predictions null for none
/// @param isReady whether the service accepts orders
/// @param metrics adds the service's metrics to those of the server
public record Backend(
    Service service,
    @Nullable Predictions predictions,
    BooleanSupplier isReady,
    Consumer<PrometheusText> metrics) {

  /// Returns a backend without predictions and metrics.
  public static Backend of(Service service) {
    return new Backend(service, null, () -> true, _ -> {});
  }
}

package io.tranche.serving.http;

import io.tranche.serving.Service;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// What a server leads to.
///
/// @param isReady whether the service takes orders
/// @param metrics adds the service's figures to those of the server
public record Backend(
    Service service, BooleanSupplier isReady, Consumer<PrometheusText> metrics) {

  /// Returns a service alone.
  public static Backend of(Service service) {
    return new Backend(service, () -> true, _ -> {});
  }
}

package io.tranche.serving;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The models that new orders go to. Open orders stay with their model.
///
/// @param model the default, as `name@version`
/// @param canary a model on trial; null for none
/// @param canaryShare the share of new orders that goes to the canary, in \[0, 1\]; chosen by the
///   order's id, so the same id always gets the same model
/// @param shadows models that also decide for every order; their decisions are counted but never
///   change an answer
public record Route(
    String model, @Nullable String canary, double canaryShare, List<String> shadows) {

  public Route {
    shadows = List.copyOf(shadows);
    if (!(canaryShare >= 0 && canaryShare <= 1)) {
      throw new IllegalArgumentException("canaryShare must be in [0, 1], was " + canaryShare);
    }
  }

  /// Returns a route that sends everything to one model.
  public static Route to(String model) {
    return new Route(model, null, 0, List.of());
  }

  /// Returns the model of an order.
  public String of(String orderId) {
    if (canary == null) {
      return model;
    }
    // Consecutive ids have similar hashes: the finaliser of MurmurHash3 spreads them.
    int hash = orderId.hashCode();
    hash = (hash ^ hash >>> 16) * 0x85ebca6b;
    hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
    hash ^= hash >>> 16;
    return (hash >>> 1) < canaryShare * Integer.MAX_VALUE ? canary : model;
  }

  public boolean uses(String name) {
    return model.equals(name) || name.equals(canary) || shadows.contains(name);
  }

  /// Describes the route in words.
  @Override
  public String toString() {
    String trial = canary == null ? "" : ", %s of them to %s".formatted(canaryShare, canary);
    return model + trial + (shadows.isEmpty() ? "" : ", shadowed by " + String.join(", ", shadows));
  }
}

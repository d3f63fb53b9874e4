package io.tranche.serving;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which models new orders go to. Orders that are open stay with theirs.
///
/// @param model the default, as `name@version`
/// @param canary a model on trial; null for none
/// @param canaryShare how much of new orders goes to it, in \[0, 1\]; an order's id decides, so the
///   same id always goes the same way
/// @param shadows models that decide beside, whatever the order's own is; what they would have done
///   is counted, and never changes an answer
public record Route(
    String model, @Nullable String canary, double canaryShare, List<String> shadows) {

  public Route {
    shadows = List.copyOf(shadows);
    if (!(canaryShare >= 0 && canaryShare <= 1)) {
      throw new IllegalArgumentException("canaryShare must be in [0, 1], was " + canaryShare);
    }
  }

  /// Returns the route on which everything goes to one model.
  public static Route to(String model) {
    return new Route(model, null, 0, List.of());
  }

  /// Returns where an order goes.
  public String of(String orderId) {
    if (canary == null) {
      return model;
    }
    // Hashes of ids that count up are close to each other: the finaliser of MurmurHash3 spreads
    // them.
    int hash = orderId.hashCode();
    hash = (hash ^ hash >>> 16) * 0x85ebca6b;
    hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
    hash ^= hash >>> 16;
    return (hash >>> 1) < canaryShare * Integer.MAX_VALUE ? canary : model;
  }

  public boolean uses(String name) {
    return model.equals(name) || name.equals(canary) || shadows.contains(name);
  }

  /// Returns it in words, for people.
  @Override
  public String toString() {
    String trial = canary == null ? "" : ", %s of them to %s".formatted(canaryShare, canary);
    return model + trial + (shadows.isEmpty() ? "" : ", shadowed by " + String.join(", ", shadows));
  }
}

package io.tranche.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Skips tests that lack something, with a reason. `./tranche test` prints each reason.
public final class Skip {

  private Skip() {}

  /// Skips the test unless `isThere`.
  public static void unless(boolean isThere, String reason) {
    assumeTrue(isThere, () -> "skipped: " + reason);
  }

  /// Skips the test unless `isThere`. If the environment variable `CI` is set, it fails instead,
  /// because a build server can install what is missing.
  static void unlessInstalled(boolean isThere, String reason) {
    if (!isThere && System.getenv("CI") != null) {
      throw new AssertionError(reason);
    }
    unless(isThere, reason);
  }
}

package io.tranche.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/// Finds data that lie beside the project on a developer's machine and are never committed.
public final class Shared {

  private Shared() {}

  /// Returns NAME in the folder that the environment variable `TRANCHE_SHARED` names, otherwise
  /// `../shared/NAME` beside the project's root, or skips the test with a message. If the folder is
  /// there, the variable `CI` is set and NAME is missing, it fails.
  public static Path orSkip(String name) {
    String stated = System.getenv("TRANCHE_SHARED");
    Path folder = stated == null ? root().resolve("../shared") : Path.of(stated);
    Path path = folder.resolve(name).normalize();
    String reason = "../shared/" + name + " is not there";
    if (Files.isDirectory(folder)) {
      Skip.unlessInstalled(Files.exists(path), reason);
    }
    Skip.unless(Files.exists(path), reason);
    return path;
  }

  /// Returns the same, but only where the environment variable `CI` or the property `tranche.full`
  /// is set: for tests that take long.
  public static Path orSkipUntilCi(String name) {
    Skip.unless(
        System.getenv("CI") != null || Boolean.getBoolean("tranche.full"),
        name + " is used in CI and with --full");
    return orSkip(name);
  }

  /// Returns the project's root folder, from whatever module the test runs in.
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    for (Path at = folder; at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("tranche")) && Files.exists(at.resolve("pom.xml"))) {
        return at;
      }
    }
    throw new IllegalStateException("tests must run inside the project, was " + folder);
  }
}

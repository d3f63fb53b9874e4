package io.tranche.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A real browser to open our pages in: Chromium, as the distribution packages it.
public final class Browser {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private Browser() {}

  /// Returns the browser's program, and installs it if necessary and allowed (root in a Debian
  /// container). Otherwise skips the test with a message, or fails it if the variable `CI` is set.
  public static Path orSkip() {
    Optional<Path> found = find();
    if (found.isEmpty() && System.getProperty("user.name").equals("root") && install()) {
      found = find();
    }
    Skip.unlessInstalled(
        found.isPresent(), "Chromium is not installed (Debian: apt-get install chromium)");
    return found.orElseThrow();
  }

  private static Optional<Path> find() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of(path.split(File.pathSeparator))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static boolean install() {
    Path log = Shared.root().resolve("target/chromium.log");
    try {
      Files.createDirectories(log.getParent());
      // Other tests may be installing something at this moment.
      String wait = "DPkg::Lock::Timeout=300";
      List<String> install =
          List.of(
              "apt-get",
              "install",
              "-y",
              "-q",
              "--no-install-recommends",
              "-o",
              wait,
              "chromium",
              "fonts-liberation");
      if (!Command.succeeds(log, install)) {
        // The lists of packages may be old or absent.
        boolean updated = Command.downloads(log, List.of("apt-get", "update", "-q", "-o", wait));
        return updated && Command.downloads(log, install);
      }
      return true;
    } catch (IOException e) {
      return false; // no apt-get
    }
  }
}

package io.tranche.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;

/// The page in which users look up errors.
public final class Troubleshooting {

  private Troubleshooting() {}

  /// Fails unless `symptom` begins with a heading of `docs/troubleshooting.md`.
  public static void assertDocumented(String symptom) {
    assertThat(headings()).as("headings of docs/troubleshooting.md").anyMatch(symptom::startsWith);
  }

  private static List<String> headings() {
    try {
      return Files.readAllLines(Shared.root().resolve("docs/troubleshooting.md")).stream()
          .filter(line -> line.startsWith("## "))
          .map(line -> line.substring(3))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

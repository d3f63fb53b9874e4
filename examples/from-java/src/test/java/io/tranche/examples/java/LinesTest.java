package io.tranche.examples.java;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// docs/java.md counts the lines of the examples: without package, imports, comments and blank
/// lines.
class LinesTest {

  @ParameterizedTest
  @CsvSource({
    "src/main/java/io/tranche/examples/java/OwnReward.java",
    "../custom-problem/src/main/java/io/tranche/examples/problem/Accumulation.java"
  })
  void anExampleHasAtMostFortyLines(Path source) throws IOException {
    long lines =
        Files.readAllLines(source).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.matches("(package|import|///?) .*"))
            .count();

    assertThat(lines).isLessThanOrEqualTo(40);
    assertThat(Path.of("../../docs/java.md"))
        .content()
        .contains(
            "| %s | %d |".formatted(source.getFileName().toString().replace(".java", ""), lines));
  }
}

package io.tranche.examples.java;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// docs/java.md counts the lines of the examples: without package, imports, comments and blank
/// lines.
class LinesTest {

  private static final Path PAGE = Path.of("../../docs/java.md");

  private static final Pattern ROW =
      Pattern.compile(
          "^\\| .* \\| \\[`\\w+`]\\(\\.\\./examples/(.*\\.java)\\) \\| (\\d+) \\|",
          Pattern.MULTILINE);

  record Row(Path source, long lines) {}

  static List<Row> rows() throws IOException {
    return ROW.matcher(Files.readString(PAGE))
        .results()
        .map(row -> new Row(Path.of("..", row.group(1)), Long.parseLong(row.group(2))))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void anExampleHasAtMostFortyLines(Row row) throws IOException {
    long lines =
        Files.readAllLines(row.source()).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.matches("(package|import|///?)( .*)?"))
            .count();

    assertThat(lines).isLessThanOrEqualTo(40).isEqualTo(row.lines());
  }

  /// A peer's count is worth something only for a script that stays as it is: a commit or a
  /// version.
  @ParameterizedTest
  @ValueSource(strings = {"OwnReward", "Accumulation"})
  void thePeersStandBeside(String name) throws IOException {
    String row =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| ") && line.contains("[`" + name + "`]"))
            .findFirst()
            .orElseThrow();
    String peers = row.split(" \\| \\d+ \\| ", 2)[1];

    assertThat(peers).containsPattern("/blob/[0-9a-f]{40}/.*: \\d+");
    assertThat(peers.split("https://", -1).length - 1)
        .isEqualTo(Pattern.compile("/[0-9a-f]{40}/|/v\\d+\\.\\d").matcher(peers).results().count());
  }

  /// What the page must not lose.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "OwnReward",
        "Accumulation",
        "OwnNetwork",
        "Gain",
        "OwnParts",
        "FirstTickSimulator",
        "LoggingPpo",
        "OwnStages",
        "RangePlace",
        "AtOnceStrategy"
      })
  void thePageHasEveryExample(String name) throws IOException {
    assertThat(rows()).anyMatch(row -> row.source().endsWith(name + ".java"));
  }
}

package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/qlib-dialect.md: every deviation has a test, and every one that is tested is listed.
class QlibDialectTest {

  private static final Path PAGE = Shared.root().resolve("docs/qlib-dialect.md");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");
  private static final Pattern QUIRK = Pattern.compile("\"(Q\\d+)\"");

  @Test
  void everyDeviationNamesATestThatExists() throws IOException {
    Map<String, String> sources = testSources();
    List<String> rows =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| "))
            .filter(line -> !line.startsWith("| Qlib") && !line.startsWith("|--"))
            .toList();

    assertThat(rows).hasSizeGreaterThan(15);
    for (String row : rows) {
      List<MatchResult> tests = TEST.matcher(row).results().toList();
      assertThat(tests).as(row).isNotEmpty();
      for (MatchResult test : tests) {
        assertThat(sources).as(row).containsKey(test.group(1));
        assertThat(sources.get(test.group(1))).as(row).contains("void " + test.group(2) + "(");
      }
    }
  }

  @Test
  void everyDeviationFromGoldenDataIsListed() throws IOException {
    String table =
        Files.readString(
            Shared.root()
                .resolve(
                    "conformance/src/main/java/io/tranche/conformance/deviation/Deviation.java"));
    List<String> quirks =
        QUIRK.matcher(table).results().map(match -> match.group(1)).distinct().toList();

    assertThat(quirks).isNotEmpty();
    assertThat(Files.readString(PAGE)).contains(quirks);
  }

  private static Map<String, String> testSources() throws IOException {
    try (Stream<Path> files = Files.walk(Shared.root())) {
      return files
          .filter(file -> file.toString().contains("/src/test/java/"))
          .filter(file -> file.toString().endsWith("Test.java"))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""),
                  QlibDialectTest::text,
                  String::concat));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}

package io.tranche.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Results;
import io.tranche.benchmarks.measure.Tables;
import io.tranche.benchmarks.serving.ServePicture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The pages show what `docs/bench.json` has, and say which commit other figures are from.
class PublishedFiguresTest {

  private static final Pattern COMMIT = Pattern.compile("[Cc]ommits? [0-9a-f]{7,}");

  private static final Pattern FIGURES = Pattern.compile("(?m)^\\|.*\\d.*\\|$");

  /// A command in a sentence, in a block, or alone in an indented one.
  private static final Pattern COMMAND =
      Pattern.compile("(?m)(?:`|^ *)(?:\\./)?tranche bench( [^`#\\n]*)?");

  private final Path home = BenchmarksMain.home();

  private Map<String, String> pages() throws IOException {
    var pages = new LinkedHashMap<String, String>();
    for (String page : BenchmarksMain.PAGES) {
      pages.put(page, Files.readString(home.resolve(page)));
    }
    return pages;
  }

  @Test
  void tablesAreThoseOfTheRecordedResults() throws IOException {
    Path file = home.resolve(BenchmarksMain.PUBLISHED);
    if (!Files.exists(file)) {
      return; // the next test sees that every table says where it is from
    }
    Results results = Results.read(file);

    assertThat(results.peers()).isTrue();
    assertThat(results.commit()).matches("[0-9a-f]{7,}");
    pages()
        .forEach((name, page) -> assertThat(page).as(name).isEqualTo(Tables.fill(page, results)));
    assertThat(home.resolve("docs/serve.csv"))
        .hasContent(ServePicture.csv(results.figures("serve").orElseThrow()));
  }

  @Test
  void everyTableOfFiguresNamesItsCommit() throws IOException {
    pages()
        .forEach(
            (name, page) -> {
              assertThat(Tables.contents(page))
                  .as(name)
                  .allSatisfy(table -> assertThat(table).containsPattern(COMMIT));
              if (name.endsWith("performance.md")) {
                assertThat(Tables.contents(page)).hasSizeGreaterThan(5);
                assertThat(sectionsWithFigures(page))
                    .allSatisfy(section -> assertThat(section).containsPattern(COMMIT));
              }
            });
  }

  /// Nobody waits for hours to learn that a page names a benchmark or an option that is gone.
  @Test
  void everyBenchmarkThatThePagesNameExists() throws IOException {
    List<String> known = BenchmarksMain.BENCHMARKS.stream().map(Benchmark::name).toList();
    List<String> found;
    try (Stream<Path> files = Files.walk(home.resolve("docs"))) {
      found =
          Stream.concat(
                  files.filter(file -> file.toString().endsWith(".md")),
                  Stream.of("README.md", "CONTRIBUTING.md").map(home::resolve))
              .flatMap(file -> COMMAND.matcher(text(file)).results())
              .map(command -> command.group(1) == null ? "" : command.group(1).strip())
              .filter(command -> !command.startsWith("cluster")) // that of module cluster
              .toList();
    }

    assertThat(found).hasSizeGreaterThan(20);
    for (String command : found) {
      boolean isReal = command.equals("real") || command.startsWith("real ");
      String words = isReal ? command.substring("real".length()).strip() : command;
      CommandLine.ParseResult parsed =
          BenchmarksMain.command(isReal, System.out, System.err)
              .parseArgs(words.isEmpty() ? new String[0] : words.split(" +"));
      if (!isReal && parsed.hasMatchedPositional(0)) {
        List<String> names = parsed.matchedPositional(0).getValue();
        assertThat(names).as(command).allMatch(name -> name.equals("all") || known.contains(name));
      }
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> sectionsWithFigures(String page) {
    return Pattern.compile("(?m)^##+ ")
        .splitAsStream(page)
        .filter(section -> FIGURES.matcher(section).find())
        .toList();
  }
}

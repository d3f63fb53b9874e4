package io.tranche.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.benchmarks.measure.Results;
import io.tranche.benchmarks.measure.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The pages show what `docs/bench.json` has, and say which commit other figures are from.
class PublishedFiguresTest {

  private static final Pattern COMMIT = Pattern.compile("[Cc]ommits? [0-9a-f]{7,}");

  private static final Pattern FIGURES = Pattern.compile("(?m)^\\|.*\\d.*\\|$");

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
    pages().forEach((name, page) -> assertThat(page).as(name).isEqualTo(Tables.fill(page, results)));
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

  private static List<String> sectionsWithFigures(String page) {
    return Pattern.compile("(?m)^##+ ")
        .splitAsStream(page)
        .filter(section -> FIGURES.matcher(section).find())
        .toList();
  }
}

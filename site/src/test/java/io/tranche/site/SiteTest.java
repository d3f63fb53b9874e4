package io.tranche.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.site.reference.Reference;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SiteTest {

  private static final String PAGE = "# Page\n\nFor you. After reading, you know.\n\n";
  private static final String CHINESE = "# 页\n\n适合你。读完之后，你就知道。\n\n";

  @TempDir Path folder;

  @Test
  void thePagesOfTheProjectHaveNoProblems() throws IOException {
    assertThat(Site.read(Shared.root()).check()).isEmpty();
  }

  @Test
  void generatedPagesAndPicturesAreWhatTheCodeSays() throws IOException {
    for (var entry : Reference.generate(Shared.root()).entrySet()) {
      assertThat(Shared.root().resolve(entry.getKey()))
          .as("run ./tranche docs --reference")
          .hasContent(entry.getValue());
    }
  }

  /// A picture that no test makes goes stale, and one that no page shows is forgotten.
  @Test
  void everyPictureIsMadeByATestAndShownByAPage() throws IOException {
    Map<String, String> makers =
        Map.of(
            "docs/market.svg", "cli/src/test/java/io/tranche/cli/DocumentationTest.java",
            "docs/report.png",
                "analysis/src/test/java/io/tranche/analysis/report/ReportPageTest.java",
            "docs/dashboard.png",
                "dashboard/src/test/java/io/tranche/dashboard/DashboardPageTest.java",
            "docs/serve.svg",
                "benchmarks/src/test/java/io/tranche/benchmarks/serving/ServePictureTest.java");
    Set<String> generated = Reference.generate(Shared.root()).keySet();
    String pages = pages();
    List<String> pictures;
    try (Stream<Path> files = Files.walk(Shared.root().resolve("docs"))) {
      pictures =
          files
              .map(file -> Shared.root().relativize(file).toString())
              .filter(file -> file.matches(".*\\.(svg|png|jpg|jpeg|gif|webp)"))
              .toList();
    }

    assertThat(pictures).hasSizeGreaterThan(15);
    for (String picture : pictures) {
      String name = picture.substring(picture.lastIndexOf('/') + 1);
      assertThat(pages).contains(name + ")");
      if (!generated.contains(picture)) {
        assertThat(makers).containsKey(picture);
        assertThat(Shared.root().resolve(makers.get(picture))).content().contains(name);
      }
    }
  }

  private static String pages() throws IOException {
    var text = new StringBuilder(Files.readString(Shared.root().resolve("README.md")));
    try (Stream<Path> files = Files.walk(Shared.root().resolve("docs"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  @Test
  void theSamePagesGiveTheSameBytesAndNothingComesFromElsewhere() throws IOException {
    Map<String, byte[]> first = Site.read(Shared.root()).files(true);
    Map<String, byte[]> second = Site.read(Shared.root()).files(true);

    assertThat(first.keySet())
        .isEqualTo(second.keySet())
        .contains("index.html", "docs/glossary.html");
    first.forEach((name, bytes) -> assertThat(second.get(name)).as(name).isEqualTo(bytes));
    first.forEach(
        (name, bytes) -> {
          if (name.endsWith(".html")) {
            assertThat(new String(bytes, StandardCharsets.UTF_8))
                .as(name)
                .doesNotContainPattern(
                    "<(?:script|link|img|iframe)[^>]*(?:src|href)=\"(?:https?:)?//");
          }
        });
  }

  /// Three screens, and on the first one the pages for the usual questions.
  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/zh/README.md"})
  void theReadmeIsShortAndLeadsOn(String name) throws IOException {
    List<String> lines = Files.readAllLines(Shared.root().resolve(name));
    String screen = String.join("\n", lines.subList(0, 12));

    assertThat(lines).hasSizeLessThan(75);
    assertThat(screen)
        .contains("own-data.md", "is-my-agent-good.md", "from-qlib.md", "going-live.md")
        .contains("java.md", "what-the-demo-proves.md", "market.svg");
  }

  @Test
  void pagesForNewUsersAreAlsoInChinese() throws IOException {
    var pages = new ArrayList<>(List.of("README.md", "quick-start.md", "from-qlib.md"));
    Path docs = Shared.root().resolve("docs");
    for (String folder : List.of("concepts", "how-to")) {
      try (Stream<Path> files = Files.list(docs.resolve(folder))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .forEach(file -> pages.add(docs.relativize(file).toString()));
      }
    }

    assertThat(pages)
        .hasSizeGreaterThan(15)
        .allSatisfy(page -> assertThat(docs.resolve("zh").resolve(page)).exists());
  }

  @Test
  void theGlossaryLinksEveryTermToTheCode() throws IOException {
    List<String> terms =
        Files.readAllLines(Shared.root().resolve("docs/glossary.md")).stream()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| Term "))
            .toList();

    assertThat(terms).hasSizeGreaterThan(50).allMatch(line -> line.contains("](../"));
  }

  /// What is wrong on a page is found, with its line.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          See [there](nowhere.md).                  | docs/a.md:5: expected a file at the end of the link, was nowhere.md
          See [there](glossary.md#none).            | docs/a.md:5: expected a heading at the end of the link, was glossary.md#none
          ![](p.svg)                                | docs/a.md:5: expected a text for the picture, was none
          It uses XYZ.                              | docs/a.md:5: expected the term in docs/glossary.md, was missing: XYZ
          Each parent order is good.                | docs/a.md:5: expected the term in docs/glossary.md, was missing: parent order
          """)
  void findsWhatIsWrongOnAPage(String line, String problem) throws IOException {
    project(PAGE + line + "\n", CHINESE + line + "\n");

    assertThat(Site.read(folder).check().stream().map(PageFault::toString)).contains(problem);
  }

  @Test
  void findsPagesWithoutTheirReaderOrOutsideTheContents() throws IOException {
    project(PAGE, CHINESE);
    Files.writeString(folder.resolve("docs/b.md"), "# B\n\nHello.\n");

    assertThat(Site.read(folder).check().stream().map(PageFault::toString))
        .containsExactly(
            "docs/b.md:1: expected the page in the list of docs/contents.md, was missing there",
            "docs/b.md:3: expected 'For ... After reading, ...' as the first paragraph, was another");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '## One'          | 没有标题       | a heading of level 2
          It takes 25 s.    | 要 26 秒。     | sentences with the figures 25
          `x` is 1.5.       | `x` 是 1.6。   | sentences with the figures 1.5
          """)
  void findsTranslationsOutOfStep(String english, String chinese, String problem)
      throws IOException {
    project(PAGE + english + "\n", CHINESE + chinese + "\n");

    assertThat(Site.read(folder).check())
        .anyMatch(each -> each.file().equals("docs/zh/a.md") && each.message().contains(problem));
  }

  @Test
  void comparesCommandsAndTablesOfTranslations() throws IOException {
    String table = "| a | b |\n|---|---|\n| x | 3 |\n";
    project(
        PAGE + "```sh\n./tranche demo   # runs\n```\n\n" + table,
        CHINESE + "```sh\n./tranche demo   # 运行\n```\n\n" + table.replace("x", "某"));
    assertThat(Site.read(folder).check()).isEmpty();

    project(PAGE + "```sh\n./tranche demo\n```\n", CHINESE + "```sh\n./tranche test\n```\n");
    assertThat(Site.read(folder).check()).hasSize(1);

    project(PAGE + table, CHINESE + table.replace("3", "4"));
    assertThat(Site.read(folder).check()).hasSize(1);
  }

  private void project(String english, String chinese) throws IOException {
    Files.createDirectories(folder.resolve("docs/zh"));
    Files.writeString(folder.resolve("docs/p.svg"), "<svg/>");
    Files.writeString(folder.resolve("README.md"), PAGE);
    Files.writeString(folder.resolve("docs/a.md"), english);
    Files.writeString(folder.resolve("docs/zh/a.md"), chinese);
    Files.writeString(folder.resolve("docs/glossary.md"), PAGE);
    Files.writeString(
        folder.resolve("docs/contents.md"),
        PAGE + "## All\n- [x](../README.md)\n- [x](a.md)\n- [x](glossary.md)\n");
    Files.writeString(folder.resolve("docs/zh/contents.md"), CHINESE + "## 全部\n- [x](a.md)\n");
  }
}

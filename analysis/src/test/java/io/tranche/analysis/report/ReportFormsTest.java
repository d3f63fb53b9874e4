package io.tranche.analysis.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.report.ReportData.CostItem;
import io.tranche.market.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFormsTest {

  @TempDir private Path folder;

  @Test
  void sectionsWithoutDataAreLeftOut() throws IOException {
    Reports.write(Samples.of("Costs only", List.of(), List.of(new CostItem("tax", 5))), folder);

    String html = Files.readString(folder.resolve(Reports.HTML));
    assertThat(Pattern.compile("<section id=\"(\\w+)\"").matcher(html).results())
        .extracting(result -> result.group(1))
        .containsExactly("costs");
    assertThat(html).doesNotContain("id=\"verdict\"");
  }

  @Test
  void everySectionIsThereWhenItsDataAre() {
    assertThat(ReportSections.of(Samples.whole()))
        .extracting(Section::id)
        .containsExactly(
            "summary",
            "advantage",
            "distribution",
            "groups",
            "fills",
            "cumulative",
            "costs",
            "examples",
            "checkpoints",
            "training",
            "warnings",
            "provenance");
  }

  @Test
  void thePolicyAllowsTheScriptAndTheStyleOfThePageAndNothingElse()
      throws IOException, NoSuchAlgorithmException {
    Reports.write(Samples.whole(), folder);

    String html = Files.readString(folder.resolve(Reports.HTML));
    assertThat(html)
        .contains(
            "content=\"default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; "
                    .formatted(
                        hash(inside(html, "<script>", "</script>")),
                        hash(inside(html, "<style>", "</style>")))
                + "form-action 'none'\"")
        .doesNotContain("style=\"");
  }

  private static String inside(String html, String from, String to) {
    int start = html.indexOf(from) + from.length();
    return html.substring(start, html.indexOf(to, start));
  }

  private static String hash(String text) throws NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    return "sha256-" + Base64.getEncoder().encodeToString(digest);
  }

  @Test
  void textsOfDataAreEscapedInEveryForm() throws IOException {
    Reports.write(Samples.hostile(), folder);

    assertThat(Files.readString(folder.resolve(Reports.HTML)))
        .doesNotContain("<script>alert")
        .doesNotContain("<img")
        .contains("&lt;script&gt;alert(1)");
    String markdown = Files.readString(folder.resolve(Reports.MARKDOWN));
    assertThat(markdown.lines().filter(line -> !line.startsWith("    ")))
        .noneMatch(line -> line.contains("<script") || line.contains("<img"));
  }

  @Test
  void absurdNumbersAreShownAsFarAsTheyCanBe() throws IOException {
    List<OrderRow> orders =
        List.of(
            Samples.row("A", Side.BUY, 0, 9, Double.MAX_VALUE),
            Samples.row("A", Side.BUY, 1, 9, Double.MAX_VALUE),
            Samples.row("B", Side.SELL, 1, 9, -Double.MAX_VALUE));

    Reports.write(Samples.of("Absurd", orders, List.of()), folder);

    assertThat(Files.readString(folder.resolve(Reports.HTML)))
        .contains("<section id=\"distribution\">")
        .doesNotContain("NaN,")
        .doesNotContain("Infinity,\"");
  }

  @Test
  void markdownHoldsTheTablesOfThePage() throws IOException {
    Reports.write(Samples.whole(), folder);

    assertThat(Files.readString(folder.resolve(Reports.MARKDOWN)))
        .startsWith("# Two stocks\n\nA\n\n> **No difference.** ")
        .contains("| Against | All, bps | 95 % interval |")
        .contains(
            "| Cost | bps |\n| --- | ---: |\n| A | 2.0 |\n| B | \u22120.5 |\n| Total | 1.5 |");
  }

  @Test
  void runsOnTheSameOrdersAreComparedOrderByOrder() throws IOException {
    ReportData run = Samples.whole();
    ReportData other =
        Samples.of("Other orders", List.of(run.results().orders().getFirst()), List.of());

    Reports.write(new ReportComparison(List.of(run, run, other)), folder);

    String markdown = Files.readString(folder.resolve(Reports.COMPARISON_MARKDOWN));
    assertThat(markdown)
        .contains("## Order by order against the first run")
        .contains("| Two stocks (2) | 0.0 | 0.0 to 0.0 | 24 | 12 |");
    assertThat(inside(markdown, "## Order by order", "## Cumulative"))
        .doesNotContain("Other orders");
  }

  /// One run with seed 3, one with seed 4, and one that differs in more.
  @Test
  void runsThatDifferOnlyInTheirSeedHaveAnIntervalOverSeeds() throws IOException {
    String config = "data:\n  seed: 1\nruntime:\n  threads: null\n  seed: %d\nreward:\n  scale: %s\n";
    List<ReportData> runs =
        List.of(
            withConfig(Samples.whole(), config.formatted(3, "1")),
            withConfig(Samples.whole(), config.formatted(4, "1")),
            withConfig(Samples.whole(), config.formatted(4, "2")));

    Reports.write(new ReportComparison(runs), folder);

    String seeds =
        inside(
            Files.readString(folder.resolve(Reports.COMPARISON_MARKDOWN)), "## By seed", "\n## ");
    assertThat(seeds)
        .contains("Two stocks (1), seed 3")
        .contains("Two stocks (2), seed 4")
        .contains("Mean of 2 seeds")
        .doesNotContain("Two stocks (3)");
  }

  private static ReportData withConfig(ReportData data, String config) {
    return new ReportData(
        data.title(),
        data.description(),
        data.verdict(),
        data.results(),
        data.learning(),
        new ReportData.Origin(List.of(), config, ""));
  }

  @Test
  void aTableOfOneRowIsLeftOut() throws IOException {
    List<OrderRow> orders =
        List.of(
            Samples.row("A", Side.BUY, 0, 9, 1),
            Samples.row("A", Side.BUY, 1, 9, 2),
            Samples.row("A", Side.BUY, 2, 9, 3));

    Reports.write(
        Samples.of("One of each", orders, List.of(new ReportData.CostItem("tax", 2))), folder);

    assertThat(Files.readString(folder.resolve(Reports.MARKDOWN)))
        .doesNotContain("By hour")
        .doesNotContain("By side")
        .doesNotContain("By instrument")
        .doesNotContain("| Month |")
        .doesNotContain("| Cost |")
        .contains("2.0 in all");
  }
}

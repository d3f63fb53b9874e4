package io.tranche.analysis.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.report.ReportData.CheckpointScore;
import io.tranche.analysis.report.ReportData.CostItem;
import io.tranche.run.play.Difference;
import io.tranche.testkit.Browser;
import io.tranche.testkit.Python;
import io.tranche.testkit.Screenshot;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Opens pages in a real browser and compares what it shows with what the JSON says.
class ReportPageTest {

  private static final Path FOLDER = Shared.root().resolve("analysis/target/report");

  @Test
  void aWholeReportIsDrawnWithoutErrorsAndShowsTheNumbersOfItsData()
      throws IOException, InterruptedException {
    Reports.write(whole(), FOLDER);

    String said = open(FOLDER, Reports.HTML);

    assertThat(said).endsWith("all is well\n");
  }

  /// The picture of docs/report.md is one of today's reports: nothing in it is invented.
  @Test
  void thePictureOfThePageShowsTheSame() throws IOException, InterruptedException {
    Path folder = FOLDER.resolve("picture");
    Reports.write(
        EmbeddedReport.report(List.of(), List.of(), List.of(), List.of(), "", "0123456789abcdef"),
        folder);

    assertThat(open(folder, Reports.HTML, "#distribution .pair")).endsWith("all is well\n");

    assertThat(Screenshot.texts(Shared.root().resolve("docs/report.png")))
        .as("analysis/target/report/picture/report.png belongs into docs")
        .isEqualTo(Screenshot.texts(folder.resolve("report.png")))
        .contains("Advantage over TWAP");
  }

  @Test
  void aComparisonIsDrawnWithoutErrors() throws IOException, InterruptedException {
    ReportData run = whole();
    Path folder = FOLDER.resolve("comparison");
    Reports.write(new ReportComparison(List.of(run, run)), folder);

    assertThat(open(folder, Reports.COMPARISON_HTML)).endsWith("all is well\n");
  }

  @Test
  void aSearchIsDrawnWithoutErrors() throws IOException, InterruptedException {
    Path folder = FOLDER.resolve("search");
    Reports.write(
        new SearchReport(
            "A search",
            "Two settings",
            "val/pa",
            List.of(
                new SearchReport.Setting("policy.kwargs.lr", true),
                new SearchReport.Setting("network.class", false)),
            List.of(
                trial(1, false, 2.5, List.of("0.001", "Recurrent")),
                trial(0, true, 1.5, List.of("0.01", "Opds"))),
            "metric: val/pa\n"),
        folder);

    assertThat(open(folder, Reports.HTML)).endsWith("all is well\n");
  }

  private static SearchReport.Trial trial(
      int number, boolean isBase, double value, List<String> values) {
    return new SearchReport.Trial(
        "trial " + number,
        isBase,
        !isBase,
        "completed",
        8,
        value,
        values,
        Map.of(4, value - 1, 8, value),
        "");
  }

  @Test
  void namesThatAreMarkupStayNames() throws IOException, InterruptedException {
    Path folder = Files.createDirectories(FOLDER.resolve("hostile"));
    ReportData data = Samples.hostile();
    Files.writeString(
        folder.resolve("page.html"),
        HtmlPage.of(
            new Page(data.title(), Samples.IMAGE, data.verdict(), ReportSections.of(data))));

    assertThat(open(folder, "page.html")).endsWith("all is well\n");
  }

  /// A real run of a rule, to which a learning curve, checkpoints and costs are invented: a rule
  /// has none.
  private static ReportData whole() {
    var training = new ArrayList<TrainingPoint>();
    var checkpoints = new ArrayList<CheckpointScore>();
    for (int i = 0; i < 40; i++) {
      double learnt = 14 * (1 - Math.exp(-i / 8.0));
      training.add(
          new TrainingPoint(
              i,
              learnt / 100,
              learnt + Math.sin(i),
              i % 4 == 3 ? learnt * 0.8 + Math.cos(i) : Double.NaN));
      if (i % 8 == 7) {
        double mean = learnt * 0.8;
        checkpoints.add(
            new CheckpointScore(
                "%03d.ckpt".formatted(i), new Difference(720, 30, mean, mean - 4, mean + 4, 29)));
      }
    }
    return EmbeddedReport.report(
        List.of(
            new CostItem("commission", 2.5),
            new CostItem("tax", 5),
            new CostItem("market impact", 3.2)),
        training,
        checkpoints,
        List.of("SYN0003 at 2024-07-01 09:35: expected a bar, was none"),
        "simulator:\n  ticks_per_step: 30\nnote: \"<script>alert(1)</script>\"\n",
        "0123456789abcdef");
  }

  /// @param more the end of a picture to make, if any
  private static String open(Path folder, String file, String... more)
      throws IOException, InterruptedException {
    Path browser = Browser.orSkip();
    Path python = Python.withOrSkip("playwright");
    try (InputStream program = ReportPageTest.class.getResourceAsStream("open_page.py")) {
      return Python.run(
          python,
          Screenshot.PYTHON + new String(requireNonNull(program).readAllBytes(), UTF_8),
          Stream.concat(Stream.of(browser.toString(), folder.toString(), file), Stream.of(more))
              .toArray(String[]::new));
    }
  }
}

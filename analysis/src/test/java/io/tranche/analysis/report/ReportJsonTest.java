package io.tranche.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportJsonTest {

  @TempDir private Path folder;

  @Test
  void whatIsWrittenIsReadBackToTheLastDigit() {
    ReportData data = Samples.whole();

    Reports.write(data, folder);

    assertThat(Reports.read(folder)).isEqualTo(data);
    assertThat(Reports.read(folder.resolve(Reports.JSON))).isEqualTo(data);
  }

  @Test
  void aReportOfNothingButATitleIsReadBack() {
    ReportData data = Samples.of("Nothing yet", List.of(), List.of());

    Reports.write(data, folder);

    assertThat(Reports.read(folder)).isEqualTo(data);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "format" : 1 | "format" : 2 | report.json: format: expected 1, was 2
          "format" : 1, | "x" : 1, | report.json: expected an object with 'format', was {"x":1,
          "title" : "Two stocks" | "title" : 7 | report.json: title: expected text, was 7
          "title" : "Two stocks" | "name" : "x" | report.json: expected an object with 'title'
          "title" : "Two stocks" | "title" : " " | report.json: expected valid values, was title must
          "side" : "buy" | "side" : "long" | orders[0].side: expected one of [sell, buy], was "long"
          "amount" : 1000.0 | "amount" : -1 | orders[0]: expected valid values, was amount must
          "start" : "2024-01-02T09:30" | "start" : "noon" | orders[0].start: expected a time
          "fill_rate" : 0.5 | "fill_rate" : null | orders[1]: expected valid values, was fillRate must be finite, was NaN
          "fill_rate" : 0.5 | "fill_rate" : 1e999 | orders[1].fill_rate: expected a number
          "fill_rate" : 0.5 | "fill_rate" : "half" | orders[1].fill_rate: expected a number, was "half"
          "side" : "buy" | "hand" : "buy" | orders[0]: expected an object with 'side'
          "config" : | "config" : null, "x" : | report.json: config: expected text, was null
          "orders" : 24 | "orders" : 2.5 | together.orders: expected a whole number, was 2.5
          "warnings" : [ | "warnings" : "none", "x" : [ | report.json: warnings: expected a list, was "none"
          "kind" : "no_difference" | "kind" : "NO" | verdict.kind: expected one of [better,
          "training" : [ | "training" : {, | expected JSON, was
          """)
  void aBrokenReportIsRefusedByNameAndPlace(String text, String broken, String complaint)
      throws IOException {
    Path file = folder.resolve(Reports.JSON);
    ReportJson.write(Samples.whole(), file);
    String json = Files.readString(file);
    assertThat(json).contains(text);
    int at = json.indexOf(text);
    Files.writeString(file, json.substring(0, at) + broken + json.substring(at + text.length()));

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Reports.read(folder))
        .withMessageContaining(complaint)
        .withMessageContaining(file.toString());
  }

  @Test
  void theSummaryIsTheReportWithoutWhatIsLong() {
    ReportData data = Samples.whole();
    Reports.write(data, folder);

    ReportData summary = Reports.readSummary(folder.resolve(Reports.JSON));

    assertThat(summary.verdict()).isEqualTo(data.verdict());
    assertThat(summary.results().comparisons()).isEqualTo(data.results().comparisons());
    assertThat(summary.learning().checkpoints()).isEqualTo(data.learning().checkpoints());
    assertThat(summary.origin()).isEqualTo(data.origin());
    assertThat(summary.results().orders()).isEmpty();
    assertThat(summary.learning().training()).isEmpty();
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Reports.read(folder))
        .withMessageContaining(Reports.JSON);
  }

  @Test
  void aFullDiskIsAnErrorOfTheDisk() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "skipped: there is no /dev/full");

    assertThatIOException().isThrownBy(() -> ReportJson.write(Samples.whole(), full));
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> Reports.write(Samples.whole(), file))
        .withMessageContaining(file.toString());
  }
}

package io.tranche.analysis.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFileTest {

  @TempDir private Path folder;

  private Path file(String columns, String... rows) throws IOException {
    return Files.writeString(
        folder.resolve("a table.csv"), columns + "\n" + String.join("\n", rows) + "\n");
  }

  /// Both sides on each of twelve days; sides differ by 2 and days by 1.
  private Path twelveDays(String columns, String more) throws IOException {
    return file(
        "instrument,side,amount,date,advantage_bps" + columns,
        IntStream.range(0, 24)
            .mapToObj(
                row ->
                    "A,%s,100,2026-03-%02d,%d%s"
                        .formatted(
                            row % 2 == 0 ? "buy" : "sell",
                            1 + row / 2,
                            10 + row / 2 % 2 + row % 2 * 2,
                            more))
            .collect(Collectors.joining("\n")));
  }

  @Test
  void advantagesAreComparedWithTwap() throws IOException {
    Comparison results = ResultFile.compare(twelveDays("", ""));

    assertThat(results.together().meanBps()).isEqualTo(11.5);
    assertThat(results.together().days()).isEqualTo(12);
    assertThat(Verdict.of(results).sentence()).startsWith("better than TWAP by 11.5 bps");
  }

  @Test
  void aReferenceIsSubtractedOrderByOrder() throws IOException {
    Comparison results = ResultFile.compare(twelveDays(",reference_bps", ",31"));

    assertThat(results.together().meanBps()).isEqualTo(-19.5);
    assertThat(Verdict.of(results).sentence()).startsWith("worse than the reference by 19.5 bps");
  }

  @Test
  void ordersThatAreNotFilledAreNotComparable() throws IOException {
    Comparison results = ResultFile.compare(twelveDays(",completion", ",0.5"));

    assertThat(Verdict.of(results).kind()).isEqualTo(Verdict.Kind.DOES_NOT_COMPLETE);
  }

  @Test
  void whatIsWrongIsNamedWithItsPlace() throws IOException {
    String order = "A,buy,100,2026-03-02";

    assertThatThrownBy(() -> ResultFile.compare(file("instrument,side,amount,date", order)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a column advantage_bps, was [instrument");
    assertThatThrownBy(() -> ResultFile.compare(file("instrument,side,amount,date,advantage_bps")))
        .hasMessageContaining("expected at least one order, was none");
    assertThatThrownBy(
            () ->
                ResultFile.compare(
                    file("instrument,side,amount,date,advantage_bps,completion", order + ",1,2")))
        .hasMessageContaining("expected a completion from 0 to 1, was 2.0");
    assertThatThrownBy(
            () ->
                ResultFile.compare(
                    file("instrument,side,amount,date,advantage_bps", order + ",1", order + ",")))
        .hasMessageContaining("a table.csv")
        .hasMessageContaining("expected a finite advantage_bps, was NaN");
    assertThatThrownBy(
            () ->
                ResultFile.compare(
                    file("instrument,side,amount,date,advantage_bps", order + ",good")))
        .hasMessageContaining("expected numbers in the column advantage_bps, was texts");
  }
}

package io.tranche.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EvaluatedOrdersTest {

  @Test
  void examplesAreTheOrdersThatWereEvaluated() {
    ReportData data = EmbeddedReport.report(List.of(), List.of(), List.of(), List.of(), "", "");

    assertThat(data.results().examples()).hasSize(3);
    var rows =
        data.results().orders().stream().collect(Collectors.toMap(OrderRow::order, row -> row));
    for (ExampleOrder example : data.results().examples()) {
      assertThat(rows.get(example.order()))
          .extracting(OrderRow::advantageBps)
          .isEqualTo(example.advantageBps());
      assertThat(example.fills().stream().mapToDouble(ExampleOrder.Fill::amount).sum())
          .isCloseTo(example.order().amount(), within(1e-6 * example.order().amount()));
    }
    assertThat(data.results().examples())
        .extracting(ExampleOrder::advantageBps)
        .satisfiesExactly(
            median -> assertThat(median).isBetween(-10.0, 20.0),
            good -> assertThat(good).isGreaterThan(20),
            bad -> assertThat(bad).isLessThan(-10));
    assertThat(data.results().orders())
        .allSatisfy(row -> assertThat(row.participation()).isBetween(0.0, 1.0))
        .allSatisfy(row -> assertThat(row.value()).isLessThan(row.turnover()));
  }
}

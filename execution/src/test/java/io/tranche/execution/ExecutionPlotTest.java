package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.ChildOrder;
import io.tranche.market.Side;
import org.junit.jupiter.api.Test;

class ExecutionPlotTest {

  @Test
  void drawsAnOrderAsTextAndAsSvg() {
    SimpleSimulator simulator =
        SimpleSimulatorConfig.DEFAULT
            .withMinutesPerStep(4)
            .over(_ -> Episodes.rising(8))
            .create(Episodes.order(Side.BUY, 80, 0, 8));
    simulator.step(ChildOrder.market(60));
    simulator.step(ChildOrder.market(20));

    String text = ExecutionPlot.of(simulator.state()).toText();
    String svg = ExecutionPlot.of(simulator.state()).toSvg();

    assertThat(text.lines()).hasSize(5).first().asString().startsWith("order BUY 80.0 SH600000");
    assertThat(text)
        .contains("price [10.00, 17.00]                ▁▂▃▄▅▆▇█")
        .contains("filled [5.000, 15.00]               ████▁▁▁▁")
        .contains("remaining [0.000, 65.00]            █▆▅▃▃▂▂▁");
    assertThat(svg).startsWith("<svg").contains("remaining [0.000, 65.00]").endsWith("</svg>\n");
  }
}

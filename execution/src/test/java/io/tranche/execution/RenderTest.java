package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.EnvWrapper;
import io.tranche.env.EpisodePlot;
import io.tranche.env.LogCollector;
import io.tranche.env.Problem;
import io.tranche.env.space.Action;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.market.Side;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RenderTest {

  @Test
  void anEpisodeShowsDecisionsAndTheOrder() {
    var problem =
        new Problem<>(
            SimpleSimulatorConfig.DEFAULT.over(_ -> Episodes.random(new SplittableRandom(3), 240)),
            CurrentStepInterpreter.of(8),
            CategoricalInterpreter.of(CategoricalInterpreter.evenShares(10)),
            new AdvantagePenaltyReward(100, 1, AdvantagePenaltyReward.Weight.FILLED));
    var environment =
        new EnvWrapper<>(
            problem,
            List.of(Episodes.order(Side.SELL, 500, 0, 240)).iterator(),
            new LogCollector());
    environment.reset();
    for (int choice : new int[] {1, 3, 0, 2, 1, 0, 1, 2}) {
      environment.step(new Action.Discrete(choice));
    }

    EpisodePlot picture = environment.render();

    assertThat(picture.toText().lines())
        .hasSize(7)
        .satisfiesExactly(
            title -> assertThat(title).startsWith("Order[instrument=SH600000, side=SELL"),
            line -> assertThat(line).startsWith("action [0.000, 3.000]"),
            line -> assertThat(line).startsWith("reward ["),
            line -> assertThat(line).startsWith("price ["),
            line ->
                assertThat(line)
                    .startsWith("filled [0.000, 5.000]")
                    .contains(" ▃▃▃▃▃▃▃▃▃▃██████████▁▁▁▁▁▁▁▁▁▁▆"),
            line -> assertThat(line).startsWith("remaining ["),
            line -> assertThat(line).startsWith("advantage by step, bp ["));
    assertThat(picture.toSvg()).startsWith("<svg").contains(">remaining [").endsWith("</svg>\n");
  }
}

package io.tranche.runtime.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import io.tranche.tensor.RnnType;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;

class DeskTest {

  private static final LocalDate DATE = LocalDate.of(2026, 3, 3);
  private static final int INSTRUMENTS = 6;
  private static final int CHOICES = 5;

  @Test
  void anyNumberOfThreadsSellsTheSame() {
    LoadedModel model = model();

    Map<String, Double> alone = sold(model, 1);

    assertThat(alone).hasSize(INSTRUMENTS);
    assertThat(alone.values()).allSatisfy(sum -> assertThat(sum).isEqualTo(1000));
    assertThat(sold(model, 3)).isEqualTo(alone);
  }

  /// Returns how much of each order was sent, with every child order filled at once.
  private static Map<String, Double> sold(LoadedModel model, int threads) {
    var sent = new ConcurrentSkipListMap<String, Double>();
    long[] times = Session.CHINA_STOCKS.barTimes(DATE, DATE.minusDays(1), Frequency.ofMinutes(30));
    try (var desk =
        new ShardedDesk(
            model, threads, (order, volume, _) -> sent.merge(order, volume, Double::sum))) {
      for (int i = 0; i < INSTRUMENTS; i++) {
        String name = "I" + i;
        desk.on(
                name,
                each -> {
                  each.beginDay(name, DATE, List.of());
                  each.beginOrder(
                      name, name, Side.SELL, 1000, DATE.atTime(9, 30), DATE.atTime(14, 59));
                })
            .join();
      }
      for (long time : times) {
        for (int i = 0; i < INSTRUMENTS; i++) {
          String name = "I" + i;
          float[] bar = {i, (float) Math.sin(i * 0.7 + (double) (time % 97))};
          desk.on(
                  name,
                  each -> {
                    double before = sent.getOrDefault(name, 0.0);
                    each.filled(name, before - each.filledSoFar(name), 10);
                    each.bar(name, DATE, time, bar);
                  })
              .join();
        }
        desk.decide().join();
      }
      for (int i = 0; i < INSTRUMENTS; i++) {
        String name = "I" + i;
        desk.on(name, each -> each.endDay(name, DATE)).join();
      }
    }
    assertThat(BarTime.date(times[0])).isEqualTo(DATE);
    return sent;
  }

  /// A model with random weights; a desk would open a bundle.
  private static LoadedModel model() {
    var columns = new FeatureColumns(List.of("close", "volume"), List.of());
    var spec =
        ModelSpec.of(
                ConfigFiles.parse("network", "{class: RecurrentNetwork, kwargs: {hidden: 8}}"),
                ConfigFiles.parse("policy", "{class: Ppo, kwargs: {learning_rate: 0.001}}"),
                ConfigFiles.parse(
                    "actions", "{class: CategoricalInterpreter, kwargs: {shares: 4}}"),
                new GivenFeatures(columns))
            .withBars(Session.CHINA_STOCKS, Frequency.ofMinutes(30))
            .withSteps(8, 1);
    var agent =
        ActorCritic.create(
            Recurrent.factory(new RecurrentConfig(8, 32, RnnType.GRU, 1), 2),
            CHOICES,
            new SplittableRandom(1));
    return LoadedModel.of(spec, List.of(agent.weights().stateDict()));
  }
}

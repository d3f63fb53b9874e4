package io.tranche.market.feature.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QlibFeatureConfigTest {

  /// The shape of Qlib's own file, tags, anchors and ignored keys included.
  private static final String CONFIG =
      """
      start_time: !!str &start 2020-01-01
      end_time: !!str &end 2021-12-31
      train_end_time: !!str &tend 2021-06-30
      instruments: &ins all
      qlib_conf:
          provider_uri:
              5min: ./data/bin # path to generated qlib bin
          redis_port: 233
      feature_conf:
          path: ./data/pickle/feature.pkl
          class: DatasetH
          module_path: qlib.data.dataset
          kwargs:
              handler:
                  class: HighFreqGeneralHandler
                  module_path: qlib.contrib.data.highfreq_handler
                  kwargs:
                      start_time: *start
                      end_time: *end
                      fit_start_time: *start
                      fit_end_time: *tend
                      instruments: *ins
                      day_length: 240
                      freq: 5min
                      columns: ["$open", "$high", "$low", "$close"]
                      infer_processors:
                      - class: HighFreqNorm
                        module_path: qlib.contrib.data.highfreq_processor
                        kwargs:
                          feature_save_dir: ./stat/
                          norm_groups:
                              price: 8
                              volume: 2
              segments:
                  train: !!python/tuple [*start, *tend]
      backtest_conf:
          path: ./data/pickle/backtest.pkl
          kwargs:
              handler:
                  class: HighFreqGeneralBacktestHandler
                  kwargs:
                      start_time: *start
                      end_time: *end
                      day_length: 240
                      columns: ["$close", "$volume"]
      freq: 5min
      """;

  @Test
  void readsQlibsFileAsItIs() {
    var node = ConfigFiles.parse("pickle_data_config.yml", CONFIG);

    QlibFeatureConfig config = QlibFeatureConfig.from(node);

    assertThat(QlibFeatureConfig.isQlib(node)).isTrue();
    assertThat(config.store()).isEqualTo(Path.of("./data/bin"));
    assertThat(config.frequency()).isEqualTo(Frequency.ofMinutes(5));
    FeatureConfig features = config.features();
    assertThat(features.dayLength()).isEqualTo(240);
    assertThat(features.fitEnd()).isEqualTo(BarTime.parse("2021-06-30 23:59:59"));
    assertThat(features.prices()).isEqualTo(List.of("$open", "$high", "$low", "$close"));
    assertThat(features.groups()).isEqualTo(Map.of("price", 8, "volume", 2));
    assertThat(features.backtestVwap()).isFalse();
  }

  @Test
  void namesAHandlerItDoesNotKnow() {
    var node = ConfigFiles.parse("c.yml", CONFIG.replace("HighFreqGeneralHandler", "Alpha158"));

    assertThatThrownBy(() -> QlibFeatureConfig.from(node))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("feature_conf.kwargs.handler.class")
        .hasMessageContaining(
            "expected HighFreqGeneralHandler (other features: a native configuration");
  }

  @Test
  void aMarketIsItsInstrumentsDuringTheWholeWindow(@TempDir Path folder) throws IOException {
    Path store = folder.resolve("bin");
    Files.createDirectories(store.resolve("calendars"));
    Files.createDirectories(store.resolve("instruments"));
    Files.createDirectories(store.resolve("features"));
    Files.writeString(
        store.resolve("calendars/5min.txt"), "2020-01-02 09:30:00\n2021-12-30 14:55:00\n");
    Files.writeString(
        store.resolve("instruments/csi300s19_22.txt"),
        """
        SH600000\t2019-01-01\t2022-12-31
        SH600001\t2020-01-02\t2021-12-31
        SH600002\t2019-01-01\t2021-06-30
        SH600003\t2019-01-01\t2020-06-30
        SH600003\t2020-09-01\t2022-06-30
        """);
    String text = CONFIG.replace("./data/bin", store.toString());

    QlibFeatureConfig config =
        QlibFeatureConfig.from(
            ConfigFiles.parse("c.yml", text.replace("&ins all", "&ins csi300s19_22")));

    assertThat(config.features().instruments()).containsExactly("SH600000", "SH600001");
    assertThatThrownBy(
            () ->
                QlibFeatureConfig.from(
                    ConfigFiles.parse("c.yml", text.replace("&ins all", "&ins csi500"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("instruments: expected a list of codes, or a market of")
        .hasMessageContaining("[csi300s19_22], was 'csi500'");
  }

  @Test
  void refusesAFilterWithAnotherWindow() {
    var node =
        ConfigFiles.parse(
            "c.yml",
            CONFIG.replace(
                "freq: 5min\n                columns",
                """
                freq: 5min
                                inst_processors:
                                - class: TimeRangeFlt
                                  kwargs: {start_time: "2020-02-01", end_time: "2021-12-31"}
                                columns\
                """));

    assertThatThrownBy(() -> QlibFeatureConfig.from(node))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("start_time: expected the start_time of the handler");
  }
}

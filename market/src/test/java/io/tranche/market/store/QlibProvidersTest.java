package io.tranche.market.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QlibProvidersTest {

  private static final Frequency FIVE = Frequency.ofMinutes(5);

  @TempDir Path folder;

  @Test
  void opensWhatTheConfigNames() throws IOException {
    var files = new StoreFiles(folder.resolve("data/bin"), "5min");
    files.calendar("2021-03-01 09:30:00\n");
    files.instruments("SH1\t2021-03-01\t2021-03-02\n");
    files.bin("SH1", "close", 0, 1);

    var providers =
        QlibProviders.of(
            "qlib",
            Map.of(
                "provider_uri_5min",
                "./data/bin/",
                "feature_root_dir",
                "features",
                "feature_columns_today",
                List.of("$open", "$volume"),
                "feature_columns_yesterday",
                List.of("$open_1"),
                "something_else",
                1),
            folder);

    assertThat(providers.store(FIVE).instruments()).containsExactly("SH1");
    assertThat(providers.featureRoot()).isEqualTo(folder.resolve("features"));
    assertThat(providers.featureColumnsToday()).containsExactly("$open", "$volume");
    assertThat(providers.featureColumnsYesterday()).containsExactly("$open_1");
  }

  @Test
  void namesTheKeyThatIsNotSet() {
    var providers =
        QlibProviders.of(
            "qlib", Map.of("provider_uri_day", "/a", "provider_uri_1min", "/b"), folder);

    assertThatThrownBy(() -> providers.store(FIVE))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "provider_uri_5min: expected the folder of the 5min bars, was not set, only"
                + " [provider_uri_1min, provider_uri_day]");
    assertThatThrownBy(() -> QlibProviders.of("qlib", Map.of(), folder).store(FIVE))
        .isInstanceOf(ConfigException.class)
        .hasMessage("provider_uri_5min: expected the folder of the 5min bars, was not set");
  }

  @Test
  void everyBarWidthHasItsKey() throws IOException {
    var files = new StoreFiles(folder.resolve("bin"), "15min");
    files.calendar("2021-03-01 09:30:00\n");
    files.instruments("SH1\t2021-03-01\t2021-03-02\n");
    files.bin("SH1", "close", 0, 1);
    List<Map<String, Object>> configs =
        List.of(
            Map.of("provider_uri_15min", "bin", "provider_uri_60min", "hours"),
            Map.of("provider_uri", Map.of("15min", "bin", "60min", "hours")),
            Map.of("provider_uri", "bin", "provider_uri_60min", "hours"));

    for (Map<String, Object> config : configs) {
      var providers = QlibProviders.of("qlib", config, folder);

      assertThat(providers.keys()).containsExactly("provider_uri_15min", "provider_uri_60min");
      assertThat(providers.store(Frequency.ofMinutes(15)).instruments()).containsExactly("SH1");
      assertThat(providers.region()).isEqualTo(QlibRegion.CN);
    }
  }

  @Test
  void unknownWidthsAndRegionsAreRefusedByKey() {
    assertThatThrownBy(() -> QlibProviders.of("qlib", Map.of("provider_uri_15m", "a"), folder))
        .isInstanceOf(ConfigException.class)
        .hasMessage("qlib.provider_uri_15m: expected a bar width such as 15min or day, was '15m'");
    assertThatThrownBy(
            () ->
                QlibProviders.of(
                    "qlib",
                    Map.of("provider_uri_5min", "a", "provider_uri", Map.of("5min", "b")),
                    folder))
        .isInstanceOf(ConfigException.class)
        .hasMessage("qlib.provider_uri.5min: expected one folder of 5min bars, was a second");
    assertThatThrownBy(() -> QlibProviders.of("qlib", Map.of("region", "eu"), folder))
        .isInstanceOf(ConfigException.class)
        .hasMessage("qlib.region: expected one of [cn, us, tw], was 'eu'");
  }

  @Test
  void namesTheFolderThatIsNotThere() {
    var providers = QlibProviders.of("qlib", Map.of("provider_uri_day", "no/such"), folder);

    assertThatThrownBy(() -> providers.store(Frequency.DAY))
        .isInstanceOf(DataException.class)
        .hasMessage(
            folder.resolve("no/such")
                + ": expected the folder of a Qlib store, was no such folder");
  }

  @Test
  void valuesOfTheWrongKindAreRefusedByKey() {
    assertThatThrownBy(
            () -> QlibProviders.of("qlib", Map.of("provider_uri_day", List.of("a")), folder))
        .isInstanceOf(ConfigException.class)
        .hasMessage("qlib.provider_uri_day: expected a folder, was '[a]'");
    assertThatThrownBy(() -> QlibProviders.of("qlib", Map.of("feature_root_dir", " "), folder))
        .isInstanceOf(ConfigException.class)
        .hasMessage("qlib.feature_root_dir: expected a folder, was ' '");
    assertThatThrownBy(() -> QlibProviders.of("q", Map.of("feature_columns_today", "$a"), folder))
        .isInstanceOf(ConfigException.class)
        .hasMessage("q.feature_columns_today: expected a list of columns, was $a");
    assertThatThrownBy(
            () -> QlibProviders.of("q", Map.of("feature_columns_today", List.of(1)), folder))
        .isInstanceOf(ConfigException.class)
        .hasMessage("q.feature_columns_today: expected names of columns, was 1");
  }
}

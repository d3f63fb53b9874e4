package io.tranche.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.config.ConfigFiles;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.session.BarLabel;
import io.tranche.trainer.TrainingProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Native runs on generated bars of every kind of session.
class SessionTrainingTest {

  private static final int DAYS = 12;
  private static final LocalDate MONDAY = LocalDate.of(2024, 1, 8);

  @TempDir private Path folder = Path.of("");

  /// Writes bars of each instrument's session, with a half day, a late open and a halt.
  private Path bars(Frequency frequency, Map<String, Session> sessions, long shift)
      throws IOException {
    var text = new StringBuilder("symbol,datetime,open,close,volume\n");
    var random = new Random(7);
    sessions.forEach(
        (code, session) -> {
          LocalDate date = MONDAY;
          LocalDate before = MONDAY.minusDays(3);
          for (int day = 0; day < DAYS; date = date.plusDays(1)) {
            if (date.getDayOfWeek().compareTo(DayOfWeek.FRIDAY) > 0
                && !session.equals(Session.CRYPTO)) {
              continue;
            }
            long[] times = session.barTimes(date, before, frequency);
            int from = day == 5 ? times.length / 4 : 0;
            int to = day == 3 ? times.length / 2 : times.length;
            for (int i = from; i < to; i++) {
              boolean isHalted = day == 8 && i > to / 3 && i < to / 2;
              if (!isHalted) {
                text.append(
                    "%s,%s,%.2f,%.2f,%d%n"
                        .formatted(
                            code,
                            BarTime.format(times[i] + shift),
                            10 + random.nextDouble(),
                            10 + random.nextDouble(),
                            1000 + random.nextInt(1000)));
              }
            }
            before = date;
            day++;
          }
        });
    Path file = folder.resolve("bars.csv");
    Files.writeString(file, text);
    return file;
  }

  private PreparedData train(String data) {
    ExecutionRun run =
        ExecutionRun.read(
            ConfigFiles.parse(
                "run.yml",
                """
                tranche: 1
                data: %s
                trainer: {max_iterations: 1, episodes_per_iteration: 20, on_failure: propagate}
                validation: {every: 1, judge: false}
                """
                    .formatted(data)),
            _ -> {});
    try (TrainingRun<?> training =
        TrainingRun.open(
            run,
            TrainingOptions.in(folder.resolve("run")).withThreads(1),
            (_, _, _) -> {},
            TrainingProgress.NONE,
            InstantSource.fixed(Instant.EPOCH))) {
      training.train(null);
      TrainingRun.Tested tested = training.test();
      assertThat(tested.putAside()).isEmpty();
      assertThat(tested.metrics().get("ffr")).isCloseTo(1, within(1e-9));
      return training.parts().data();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "us_stocks, 5",
    "us_stocks, 60",
    "cn_stocks, 15",
    "cn_stocks, 10",
    "cn_futures, 5",
    "cn_futures_2300, 30",
    "crypto, 15",
    "cme, 30"
  })
  void everyOrderOfEveryDayIsWorked(String name, int minutes) throws IOException {
    Session session = Session.named(name);
    Frequency frequency = Frequency.ofMinutes(minutes);
    Path file = bars(frequency, Map.of("one", session), 0);

    PreparedData data = train("{bars: '%s'}".formatted(file));

    assertThat(data.sessions()).containsOnlyKeys("one");
    Session found = Objects.requireNonNull(data.sessions().get("one"));
    assertThat(found.barStarts(frequency)).isEqualTo(session.barStarts(frequency));
    Order first = data.orders(Tag.TRAIN).load().apply(0);
    long[] times = session.barTimes(first.date(), MONDAY.minusDays(3), frequency);
    assertThat(first.date()).isEqualTo(MONDAY);
    assertThat(BarTime.of(first.start())).isEqualTo(times[0]);
    assertThat(BarTime.of(first.end())).isEqualTo(times[times.length - 1] + minutes * 60L);
  }

  @Test
  void oneFileHasInstrumentsOfSeveralSessions() throws IOException {
    var sessions = new TreeMap<String, Session>();
    sessions.put("day", Session.named("cn_futures_day"));
    sessions.put("long", Session.named("cn_futures"));
    sessions.put("night", Session.named("cn_futures_2300"));
    Path file = bars(Frequency.ofMinutes(15), sessions, 0);

    PreparedData data = train("{bars: '%s'}".formatted(file));

    assertThat(data.sessions()).isEqualTo(sessions);
    assertThat(data.notes()).singleElement().asString().startsWith("session: 1 of ");
  }

  @Test
  void aStatedSessionAndLabelAreObeyedAndWritten() throws IOException {
    Frequency frequency = Frequency.ofMinutes(15);
    Path file = bars(frequency, Map.of("one", Session.US_STOCKS), frequency.seconds());

    PreparedData data = train("{bars: '%s', session: '09:30-16:00', label: end}".formatted(file));

    assertThat(data.sessions()).containsEntry("one", Session.parse("09:30-16:00"));
    var written = ConfigFiles.load(folder.resolve("run/config.yml"));
    var kept = (DataSettings.BarData) ExecutionRun.read(written, _ -> {}).data();
    assertThat(kept.mapping().session()).isEqualTo(Session.parse("09:30-16:00"));
    assertThat(kept.mapping().reading().label()).isEqualTo(BarLabel.END);
  }
}

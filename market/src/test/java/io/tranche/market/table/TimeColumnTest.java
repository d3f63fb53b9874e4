package io.tranche.market.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Session;
import io.tranche.market.check.CheckOptions;
import io.tranche.market.check.CheckReport;
import io.tranche.market.check.DataCheck;
import io.tranche.market.session.BarLabel;
import io.tranche.market.session.SessionBars.Reading;
import io.tranche.market.session.StatedSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeColumnTest {

  private static final ColumnMapping CRYPTO =
      ColumnMapping.DEFAULT.withReading(
          new Reading(StatedSessions.of(Session.CRYPTO), BarLabel.START, null));

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "000", "000000", "000000000"})
  void countsSinceTheEpochAreInstants(String zeros) throws IOException {
    var text = new StringBuilder("timestamp,close,volume\n");
    for (long second = 1_704_067_200; second < 1_704_067_200 + 86_400; second += 300) {
      text.append(second).append(zeros).append(",10.5,100\n");
    }
    Path file = write(text.toString());
    try (BarSource bars = BarFiles.openSessions(file, CRYPTO)) {
      assertThat(bars.calendar().time(0)).isEqualTo(BarTime.parse("2024-01-01 00:00:00"));
      assertThat(bars.calendar().size()).isEqualTo(288);
      assertThat(bars.fields()).containsExactly("close", "volume");
    }
    assertThat(check(file, CRYPTO).findings()).isEmpty();
    assertThatThrownBy(() -> BarFiles.openSessions(file, ColumnMapping.DEFAULT))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("--session");
  }

  @Test
  void aDateAndATimeOfDayAreJoined() throws IOException {
    Path file =
        write(
            """
            Date;Time;Close;Volume
            2024-01-02;9:30;10,5;100
            2024-01-02;9:31;10,6;200
            2024-01-02;10:00:00;10,7;300
            """);
    try (BarSource bars = BarFiles.open(file, ColumnMapping.DEFAULT)) {
      assertThat(bars.calendar().time(0)).isEqualTo(BarTime.parse("2024-01-02 09:30:00"));
      assertThat(bars.calendar().time(2)).isEqualTo(BarTime.parse("2024-01-02 10:00:00"));
      assertThat(bars.fields()).containsExactly("close", "volume");
      assertThat(bars.series("t").value(0, 0)).isEqualTo(10.5f);
    }
    assertThat(check(file, ColumnMapping.DEFAULT).hasErrors()).isFalse();
  }

  @Test
  void aTimeBesideItsDateStaysWhatItIs() throws IOException {
    Path file =
        write("time,date,close\n2024-01-02 09:30,20240102,1\n2024-01-02 09:31,20240102,2\n");
    try (BarSource bars = BarFiles.open(file, ColumnMapping.DEFAULT)) {
      assertThat(bars.calendar().time(1)).isEqualTo(BarTime.parse("2024-01-02 09:31:00"));
      assertThat(bars.fields()).containsExactly("date", "close");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "timestamp,close\n17,1\n18,2\n",
        "timestamp,close\n1704067200,1\n1704067200000,2\n",
        "timestamp,close\n1704067200.5,1\n1704067201.5,2\n",
        "date,time,close\n2024-01-02,930,1\n2024-01-02,931,2\n",
        "date,time,close\n2024-01-02,9:30,1\n2024-01-02,25:00,2\n"
      })
  void whatIsNoTimeIsRefused(String text) throws IOException {
    Path file = write(text);
    assertThatThrownBy(() -> BarFiles.open(file, ColumnMapping.DEFAULT))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected a time such as 2021-03-01 09:30:00");
    assertThat(check(file, ColumnMapping.DEFAULT).hasErrors()).isTrue();
  }

  private static CheckReport check(Path file, ColumnMapping mapping) {
    return DataCheck.check(file, new CheckOptions(mapping, 20, 5));
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("t.csv"), text);
  }
}

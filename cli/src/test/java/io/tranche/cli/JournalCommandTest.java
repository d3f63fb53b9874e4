package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.serving.Caller;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalCommandTest {

  private static final LocalDate DATE = LocalDate.of(2026, 3, 3);

  @TempDir Path folder;

  private Path journal = Path.of("");

  /// Four services one after another; days end, so that files go to the archive.
  @BeforeEach
  void serve() throws IOException {
    journal = folder.resolve("journal");
    Path models = Files.createDirectories(folder.resolve("models"));
    var config = ServiceConfig.of(models, journal, Session.CHINA_STOCKS, Frequency.MINUTE);
    for (int i = 0; i < 4; i++) {
      String instrument = "I" + i;
      try (var engine = Engine.open(config, Observer.NONE)) {
        for (int minute = 30; minute < 35; minute++) {
          var bar =
              new Request.Bar(
                  instrument, DATE, DATE.atTime(9, minute), List.of("close"), List.of(10f));
          Caller.as("desk1", () -> engine.ask(bar).join());
        }
        engine.ask(new Request.EndDays(instrument, DATE)).join();
      }
    }
  }

  private static Run verify(Path journal) {
    return Run.of("journal", "verify", journal.toString());
  }

  private List<Path> files() throws IOException {
    var files = new ArrayList<Path>();
    for (Path each : List.of(journal.resolve("archive"), journal)) {
      try (var list = Files.newDirectoryStream(each, "*.journal")) {
        list.forEach(files::add);
      }
    }
    return files;
  }

  @Test
  void aWholeJournalIsSaidToBe() throws IOException {
    Run run = verify(journal);

    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("4 files, records 1 to 36, 3 links of the chain hold");
    assertThat(files()).hasSize(4);
    assertThat(journal.resolve("archive")).isNotEmptyDirectory();
  }

  @Test
  void damageIsNamedWithFileAndOffset() throws IOException {
    for (Path file : files()) {
      byte[] bytes = Files.readAllBytes(file);
      for (byte[] damaged :
          List.of(flipped(bytes, bytes.length / 2), Arrays.copyOf(bytes, bytes.length - 1))) {
        Files.write(file, damaged);
        Run run = verify(journal);

        assertThat(run.status()).isEqualTo(ExitCode.DATA);
        assertThat(run.err()).startsWith(file + " at ");
      }
      Files.write(file, bytes);
    }
    Files.delete(journal.resolve("archive/0000000002.journal"));
    assertThat(verify(journal).err())
        .contains("0000000003.journal at 0: expected segment 2 before it, was segment 1");
  }

  private static byte[] flipped(byte[] bytes, int at) {
    byte[] damaged = bytes.clone();
    damaged[at] ^= 1;
    return damaged;
  }

  /// A file with sound checksums in the place of another is found by the chain alone.
  @Test
  void aForgedFileBreaksTheChain() throws IOException {
    Path original = journal;
    folder = Files.createDirectories(folder.resolve("other"));
    serve();
    Path forged = journal;
    String name = "archive/0000000002.journal";
    Files.copy(
        forged.resolve(name),
        original.resolve(name),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);

    Run run = verify(original);

    assertThat(run.status()).isEqualTo(ExitCode.DATA);
    assertThat(run.err()).contains("with the hash");
  }

  @ParameterizedTest
  @ValueSource(strings = {"events.csv", "events.parquet"})
  void eventsAreExportedWithTimeAndCaller(String name) {
    Path target = folder.resolve(name);
    Run run = Run.of("journal", "export", journal.toString(), "--out", target.toString());

    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.OK);
    Table table = TableFormat.of(target).read(target, List.of());
    assertThat(table.rows()).isEqualTo(36);
    for (int row = 0; row < table.rows(); row++) {
      assertThat(table.number("number", row)).isEqualTo(row + 1);
      String time = text(table, "time", row);
      assertThat(Instant.parse(time)).isBetween(Instant.now().minusSeconds(600), Instant.now());
      boolean isBar = text(table, "event", row).equals("BarTaken");
      boolean isOpening = text(table, "event", row).equals("DayOpened");
      assertThat(text(table, "caller", row)).isEqualTo(isBar || isOpening ? "desk1" : "service");
      if (isBar) {
        assertThat(text(table, "instrument", row)).startsWith("I");
        assertThat(text(table, "detail", row)).contains("10.0");
      }
    }
  }

  private static String text(Table table, String column, int row) {
    var texts = (Table.Texts) Objects.requireNonNull(table.column(column), column);
    return Objects.requireNonNull(texts.value(row), column);
  }

  @Test
  void wrongPlacesAreNamed() throws IOException {
    Path nothing = Files.createDirectories(folder.resolve("nothing"));
    assertThat(verify(nothing).err()).contains("expected the files of a journal, was none");
    assertThat(verify(nothing.resolve("x")).err()).contains("expected the folder of a journal");
    Run run = Run.of("journal", "export", journal.toString(), "--out", folder + "/events.txt");
    assertThat(run.status()).isEqualTo(ExitCode.DATA);
  }
}

package io.tranche.work.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartsTest {

  private static final GroupResult ONE = result("one");
  private static final GroupResult TWO = result("two");

  @TempDir Path folder;

  private final AtomicLong nanos = new AtomicLong();

  @Test
  void aRunThatIsSoonOverWritesNoFile() throws IOException {
    Parts parts = parts();

    parts.write("SH600000", 0, ONE);
    parts.write("SH600000", 1, TWO);

    assertThat(files()).isEmpty();
    assertThat(parts.read("SH600000", 0)).isEqualTo(ONE);
    assertThat(parts.read("SH600000", 1)).isEqualTo(TWO);
    parts.delete();
    assertThat(parts.read("SH600000", 0)).isNull();
  }

  @Test
  void aRunThatLastsLongerHasWrittenEverything() throws IOException {
    Parts parts = parts();
    parts.write("SH600000", 0, ONE);
    nanos.set(TimeUnit.SECONDS.toNanos(1));

    parts.write("SH600000", 1, TWO);

    assertThat(files()).hasSize(2);
    assertThat(parts().read("SH600000", 0)).isEqualTo(ONE);
    assertThat(parts().read("SH600000", 1)).isEqualTo(TWO);
  }

  @Test
  void aRunThatEndsEarlyCanWriteWhatItHas() throws IOException {
    Parts parts = parts();
    parts.write("SH600000", 0, ONE);

    parts.flush();

    assertThat(files()).hasSize(1);
    assertThat(parts().read("SH600000", 0)).isEqualTo(ONE);
  }

  private Parts parts() {
    return new Parts(folder.resolve("parts"), "print", nanos::get);
  }

  private static GroupResult result(String reason) {
    return new GroupResult(List.of(), List.of(new GroupResult.Failure(1, reason)), Map.of());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}

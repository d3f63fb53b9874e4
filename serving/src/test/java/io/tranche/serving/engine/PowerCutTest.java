package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.model.ModelWorker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A power cut drops every byte that was written but not forced. What was acknowledged is there.
class PowerCutTest {

  private static final int ORDERS = 30;

  @TempDir Path folder;

  /// A second folder to which only forced bytes go, as to a disk.
  private final class Disk implements JournalFile {
    private final JournalFile file;
    private final Path durable;
    private final Map<Long, byte[]> unforced = new LinkedHashMap<>();

    Disk(Path path) throws IOException {
      this.file = JournalFile.open(path);
      this.durable =
          Files.createDirectories(folder.resolve("disk/journal")).resolve(path.getFileName());
    }

    @Override
    public synchronized void write(ByteBuffer bytes, long position) throws IOException {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      unforced.put(position, copy);
      file.write(bytes, position);
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public synchronized void force() throws IOException {
      file.force();
      try (var out =
          Files.newByteChannel(durable, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        for (var each : unforced.entrySet()) {
          out.position(each.getKey()).write(ByteBuffer.wrap(each.getValue()));
        }
      }
      unforced.clear();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Test
  void bytesThatWereNeverForcedHoldNothingAcknowledged() throws Exception {
    var parts = new EngineParts(System::nanoTime, Disk::new, ModelWorker.Interference.NONE);
    Path live = folder.resolve("live");
    var acknowledged = new LinkedHashMap<String, Answer>();
    try (var service = TestService.open(live, UnaryOperator.identity(), parts)) {
      for (int i = 0; i < ORDERS; i++) {
        assertThat(service.ask(TestService.order("o" + i, "I" + i % 4, 800)))
            .isInstanceOf(Answer.OrderState.class);
      }
      var decisions = new ArrayList<CompletableFuture<Answer>>();
      for (int i = 0; i < ORDERS; i++) {
        decisions.add(service.engine.ask(new Request.Decide("o" + i, null, TestService.PATIENT)));
      }
      // Cut while some wait: only those that were answered by now must be found again.
      for (int i = 0; i < ORDERS / 2; i++) {
        acknowledged.put("o" + i, decisions.get(i).get());
      }
      Path disk = folder.resolve("cut/journal");
      copy(folder.resolve("disk/journal"), disk);
      copy(live.resolve("models"), folder.resolve("cut/models"));
      for (var decision : decisions) {
        decision.get();
      }
    }
    assertThat(acknowledged).hasSize(ORDERS / 2);

    try (var service = TestService.open(folder.resolve("cut"))) {
      acknowledged.forEach(
          (id, answer) ->
              assertThat(service.ask(new Request.Decide(id, 0, null))).isEqualTo(answer));
      for (int i = 0; i < ORDERS; i++) {
        assertThat(service.look("o" + i).id()).isEqualTo("o" + i);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (var files = Files.list(from)) {
      for (Path each : List.copyOf(files.toList())) {
        Files.copy(each, to.resolve(each.getFileName()));
      }
    }
  }
}

package io.tranche.serving.engine;

import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.journal.ForwardingFile;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.model.ModelWorker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// A process in which a thread of the service runs out of memory after a number of requests.
final class ShortOfMemory {

  private static final int REQUESTS = 20;

  private ShortOfMemory() {}

  /// @param args the folder, and the thread: journal, worker or client
  public static void main(String[] args) {
    String where = args[1];
    var left = new AtomicInteger(REQUESTS);
    JournalFile.Opener opener =
        path ->
            where.equals("journal")
                ? failing(JournalFile.open(path), left)
                : JournalFile.open(path);
    ModelWorker.Interference interference =
        (_, _) -> {
          if (where.equals("worker") && left.get() < 10) {
            throw new OutOfMemoryError("worker");
          }
        };
    var parts =
        new EngineParts(
            () -> {
              if (where.equals("client") && left.get() < 0) {
                throw new OutOfMemoryError("client");
              }
              return System.nanoTime();
            },
            opener,
            interference);
    var service = TestService.open(Path.of(args[0]), UnaryOperator.identity(), parts);
    for (int i = 0; ; i++) {
      if (service.ask(TestService.order("o" + i, "A", 1_000)) instanceof Answer.OrderState state) {
        System.out.println(state.id());
        System.out.flush();
      }
      service.ask(new Request.Decide("o" + i, null, 1_000_000L));
      left.decrementAndGet();
    }
  }

  private static JournalFile failing(JournalFile file, AtomicInteger left) {
    return new ForwardingFile(file) {
      @Override
      public void write(ByteBuffer bytes, long position) throws IOException {
        if (left.get() < 0) {
          throw new OutOfMemoryError("journal");
        }
        super.write(bytes, position);
      }
    };
  }
}

package io.tranche.work;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The threads of this process.
final class LocalBackend implements JobBackend {

  private final int width;
  private final ExecutorService threads;

  LocalBackend(int width) {
    this.width = width;
    this.threads =
        Executors.newFixedThreadPool(
            width, Thread.ofPlatform().daemon().name("tranche-work-", 1).factory());
  }

  @Override
  public String name() {
    return Backends.LOCAL;
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public JobSession open(JobKind kind, byte[] setup) {
    return new LocalTeam(kind.open(setup));
  }

  @Override
  public void close() {
    threads.close();
  }

  private record Done(int piece, PieceResult answer) {}

  private final class LocalTeam implements JobSession {

    private final Job job;

    LocalTeam(Job job) {
      this.job = job;
    }

    @Override
    public void run(byte[] shared, List<byte[]> pieces, Answers answers) {
      CompletionService<@Nullable Done> done = new ExecutorCompletionService<>(threads);
      var over = new AtomicBoolean();
      for (int i = 0; i < pieces.size(); i++) {
        int piece = i;
        done.submit(() -> over.get() ? null : work(piece, shared, pieces.get(piece)));
      }
      int left = pieces.size();
      try {
        for (; left > 0; left--) {
          Done next = Objects.requireNonNull(taken(done));
          answers.take(next.piece(), next.answer().result());
        }
      } finally {
        // Nobody is at work any more when a round is over, however it ends.
        over.set(true);
        for (left--; left > 0; left--) {
          taken(done);
        }
      }
    }

    private Done work(int piece, byte[] shared, byte[] content) {
      return new Done(piece, PieceResult.of(job, shared, content));
    }

    private static @Nullable Done taken(CompletionService<@Nullable Done> done) {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return done.take().get();
          } catch (InterruptedException e) {
            interrupted = true; // the work goes on: it cannot be left halfway
          } catch (ExecutionException e) {
            throw new WorkException("a piece of work was lost", e);
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void close() {
      job.close();
    }
  }
}

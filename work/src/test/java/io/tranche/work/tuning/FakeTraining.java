package io.tranche.work.tuning;

import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import io.tranche.work.PieceResult;
import io.tranche.work.SentConfig;
import io.tranche.work.WorkException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// A place whose trials learn at once: a made-up curve in place of training. Answers come in an
/// order that nobody can foresee.
///
/// A setting `trainer.batch_size` of 13 is a bad combination, of 14 diverges after two iterations.
final class FakeTraining implements JobBackend {

  private static final long MOST_NANOS = 2_000_000;

  private final int width;
  private final int most;
  final AtomicInteger pieces = new AtomicInteger();

  /// @param most how many pieces are done before the place breaks down
  FakeTraining(int width, int most) {
    this.width = width;
    this.most = most;
  }

  FakeTraining(int width) {
    this(width, Integer.MAX_VALUE);
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public JobSession open(JobKind kind, byte[] setup) {
    return new JobSession() {
      @Override
      public void run(byte[] shared, List<byte[]> all, Results results) {
        if (pieces.incrementAndGet() > most) {
          throw new WorkException("the place broke down");
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MOST_NANOS));
        results.take(
            0, PieceResult.of((_, piece) -> train(piece), shared, all.getFirst()).result());
      }

      @Override
      public void close() {}
    };
  }

  /// A checkpoint is the number of iterations and what was learnt in them.
  private static byte[] train(byte[] piece) {
    TrialMessage message = TrialMessage.read("a piece", piece);
    ExecutionRun run = SentConfig.run(message.run());
    ConfigNode settings = run.agent().policy().describe().required("kwargs");
    double rate = settings.required("learning_rate").asDouble();
    int batch = run.trainer().vessel().update().batchSize();
    int to = message.to();
    byte[] checkpoint = message.checkpoint();
    ByteBuffer before = ByteBuffer.wrap(checkpoint);
    int from = checkpoint.length == 0 ? 0 : before.getInt();
    double learnt = checkpoint.length == 0 ? 0 : before.getDouble();
    if (batch == 13) {
      return failed(Failure.Kind.CONFIG, "thirteen");
    }
    if (batch == 14 && to > 2) {
      return failed(Failure.Kind.DIVERGED, "fourteen");
    }
    var points = new ArrayList<Point>();
    for (int at = from + 1; at <= to; at++) {
      learnt += Math.sin(1000 * rate + at) + rate * at;
      points.add(new Point(at, learnt));
    }
    boolean ends = batch == 15 && to >= 4;
    return TrialKind.result(
        new TrialSegment(to, ends, points, List.of(), null),
        ByteBuffer.allocate(12).putInt(to).putDouble(learnt).array());
  }

  private static byte[] failed(Failure.Kind kind, String reason) {
    return TrialKind.result(TrialSegment.failed(new Failure(kind, reason)), new byte[0]);
  }

  @Override
  public void close() {}
}

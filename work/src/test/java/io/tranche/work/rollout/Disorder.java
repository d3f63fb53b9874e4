package io.tranche.work.rollout;

import io.tranche.work.Backends;
import io.tranche.work.Job;
import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import io.tranche.work.PieceResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// A workplace where everything goes as badly as it may: the kind is looked up by name, each piece
/// is done twice, in any order, by a process that knows nothing of the others, and the answers come
/// in yet another order.
///
/// @param spoil changes a setup on its way
record Disorder(int width, long seed, UnaryOperator<byte[]> spoil) implements JobBackend {

  Disorder(int width) {
    this(width, width, setup -> setup);
  }

  @Override
  public String name() {
    return "disorder";
  }

  @Override
  public JobSession open(JobKind kind, byte[] setup) {
    var random = new Random(seed);
    return new JobSession() {
      @Override
      public void run(byte[] shared, List<byte[]> pieces, Answers answers) {
        var done = new byte[pieces.size()][];
        for (int piece : shuffled(pieces.size())) {
          byte[] answer = alone(shared, pieces.get(piece));
          if (random.nextInt(4) == 0) {
            answer = alone(shared, pieces.get(piece)); // lost, or taken for slow
          }
          done[piece] = answer;
        }
        for (int piece : shuffled(pieces.size())) {
          answers.take(piece, PieceResult.read(done[piece]).result());
        }
      }

      private byte[] alone(byte[] shared, byte[] piece) {
        try (Job job = Backends.kind(kind.name()).open(spoil.apply(setup.clone()))) {
          return PieceResult.of(job, shared.clone(), piece.clone()).bytes();
        }
      }

      private List<Integer> shuffled(int count) {
        var order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
        Collections.shuffle(order, random);
        return order;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {}
}

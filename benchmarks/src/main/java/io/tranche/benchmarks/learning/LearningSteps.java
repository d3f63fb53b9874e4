package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Options;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Frequency;
import io.tranche.policy.learn.UpdateReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Answers two questions: how long does a minibatch of 1,024 steps take on one thread, and how long
/// do 128 decisions whose days are known?
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class LearningSteps {

  private final Learner learner;
  private final Policy<FullHistoryObservation> policy;
  private final List<List<FullHistoryObservation>> batches;
  private final long[] drawKeys;
  private int next;

  public LearningSteps() {
    Experience experience = experience();
    learner = new Learner(experience, 1);
    batches = experience.batches(experience.orders());
    policy = learner.newPolicy(experience.orders());
    drawKeys = new long[experience.orders()];
  }

  private static Experience experience() {
    try {
      Path folder = Files.createTempDirectory("tranche-bench");
      try {
        return UpdateBenchmark.minibatch(folder, Frequency.MINUTE);
      } finally {
        Options.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @TearDown
  public void close() {
    learner.close();
  }

  @Benchmark
  public UpdateReport minibatch() {
    return learner.learn();
  }

  @Benchmark
  public Action[] act() {
    next = (next + 1) % batches.size();
    return policy.act(batches.get(next), drawKeys, Policy.Mode.TRAIN);
  }
}

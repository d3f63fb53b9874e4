package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Turn;
import io.tranche.config.ConfigFiles;
import io.tranche.run.ExecutionRun;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.TrainingProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A training run that goes on by one iteration for each turn: all of it, with checkpoint and
/// metrics.
final class TrainingTurns implements Turn.Work, Callback, AutoCloseable {

  private final TrainingRun<?> run;
  private final Thread thread;
  private final Semaphore mayGoOn = new Semaphore(0);
  private final Semaphore isDone = new Semaphore(0);
  private volatile @Nullable RuntimeException failure;
  private volatile long episodes;
  private long before;
  private volatile boolean isOver;

  TrainingTurns(Path config, Path folder) {
    run =
        TrainingRun.open(
            ExecutionRun.read(ConfigFiles.load(config), _ -> {}),
            TrainingOptions.in(folder).withThreads(1),
            (_, _, _) -> {},
            TrainingProgress.NONE,
            InstantSource.system());
    thread = Thread.ofPlatform().name("training").start(this::train);
  }

  private void train() {
    try {
      run.train(null, this);
    } catch (RuntimeException e) {
      failure = e;
    }
    isDone.release();
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    if (hook == Hook.ITERATION_END) {
      episodes = trainer.episodes();
    }
  }

  /// Waits between iterations, after all callbacks have done their work.
  @Override
  public void after(Hook hook, Trainer trainer) {
    if (hook == Hook.FIT_START) {
      mayGoOn.acquireUninterruptibly();
    } else if (hook == Hook.ITERATION_END) {
      isDone.release();
      mayGoOn.acquireUninterruptibly();
      if (isOver) {
        trainer.stop();
      }
    }
  }

  @Override
  public Supplier<double[]> run() throws IOException {
    mayGoOn.release();
    isDone.acquireUninterruptibly();
    if (failure != null) {
      throw new IOException(failure);
    }
    long done = episodes - before;
    before = episodes;
    return () -> new double[] {done};
  }

  @Override
  public void close() {
    isOver = true;
    mayGoOn.release(2);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    run.close();
  }
}

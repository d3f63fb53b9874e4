package io.tranche.work.tuning;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Receives the progress of a search. Called by one thread at a time.
public interface TuneListener {

  /// The progress of a search.
  ///
  /// @param trials how many there are, without the base
  /// @param begun how many of these have begun
  /// @param rungs from the first to the last
  /// @param best the best trial so far, or null
  record Status(int trials, int begun, List<RungStatus> rungs, Leaderboard.@Nullable Row best) {

    public Status {
      rungs = List.copyOf(rungs);
    }
  }

  /// Ignores everything.
  TuneListener NONE =
      new TuneListener() {
        @Override
        public void making(String what, long done, long total) {}

        @Override
        public void on(Status status) {}

        @Override
        public void message(String text) {}
      };

  /// The data that trials share are being made.
  void making(String what, long done, long total);

  /// A trial has begun, or reached the end of a task.
  void on(Status status);

  /// A line that should stay visible.
  void message(String text);
}

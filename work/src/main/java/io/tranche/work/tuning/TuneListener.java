package io.tranche.work.tuning;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What hears how a search goes. Called by one thread at a time.
public interface TuneListener {

  /// How far a search is.
  ///
  /// @param trials how many there are, the base aside
  /// @param begun how many of them have begun
  /// @param rungs how each stands, the first first
  /// @param best the best trial so far, or null
  record Status(int trials, int begun, List<RungStatus> rungs, Leaderboard.@Nullable Row best) {

    public Status {
      rungs = List.copyOf(rungs);
    }
  }

  /// Hears nothing.
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

  /// A trial has come somewhere, or one has begun.
  void on(Status status);

  /// Something worth keeping, in a line.
  void message(String text);
}

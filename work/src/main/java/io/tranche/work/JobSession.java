package io.tranche.work;

import java.util.List;

/// Runs the pieces of one job.
public interface JobSession extends AutoCloseable {

  /// Receives the results of a round.
  @FunctionalInterface
  interface Results {

    /// @param piece the index of the piece; each comes once, in any order, one at a time
    void take(int piece, byte[] result);
  }

  /// Runs all pieces and hands over the results as they come, on the calling thread or on another
  /// thread while the caller waits. Several threads may run rounds at the same time.
  ///
  /// @param shared what all pieces of this round share; sent once to each process
  /// @throws RuntimeException as a piece throws it: see [Job#work]. The first error ends the round;
  ///   some results may have been handed over before
  /// @throws WorkException if a piece failed for a reason that is not the user's
  void run(byte[] shared, List<byte[]> pieces, Results results);

  @Override
  void close();
}

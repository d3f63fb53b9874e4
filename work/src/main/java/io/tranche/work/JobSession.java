package io.tranche.work;

import java.util.List;

/// Those who work on one job.
public interface JobSession extends AutoCloseable {

  /// Takes the answers of a round.
  @FunctionalInterface
  interface Answers {

    /// @param piece which one was done; each comes once, in any order, one at a time
    void take(int piece, byte[] answer);
  }

  /// Does all pieces and hands over the answers as they come, on the calling thread or on another
  /// one while this one waits. Several threads may ask for rounds of their own at the same time.
  ///
  /// @param shared what all pieces of this round share; sent once to each process
  /// @throws io.tranche.config.ConfigException as the pieces throw it, and so on: see [Job#work].
  ///   The first complaint ends the round; some answers may have been handed over before
  /// @throws WorkException if the work could not be done for a reason that is not the user's
  void run(byte[] shared, List<byte[]> pieces, Answers answers);

  @Override
  void close();
}

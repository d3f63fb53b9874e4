package io.tranche.work;

/// A job in one process. Several threads may run its pieces at the same time.
@FunctionalInterface
public interface Job extends AutoCloseable {

  /// Runs one piece. The result depends only on the setup and the arguments, not on the process, on
  /// earlier pieces, or on the number of attempts.
  ///
  /// @param shared what all pieces of a round share, such as weights. In one process it is the same
  ///   array for all pieces of a round, so what is read from it can be kept
  /// @throws io.tranche.config.ConfigException if the user's configuration is wrong; this and the
  ///   next two reach the caller of the session unchanged, and end the round
  /// @throws io.tranche.market.DataException if data are missing or wrong
  /// @throws io.tranche.policy.weights.CheckpointException if weights are missing or wrong
  byte[] work(byte[] shared, byte[] piece);

  @Override
  default void close() {}
}

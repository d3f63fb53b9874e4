package io.tranche.work;

/// A job under way in one process. Several threads may work on it at the same time.
@FunctionalInterface
public interface Job extends AutoCloseable {

  /// Does one piece. The answer depends on the setup and the arguments alone: neither on the
  /// process, nor on what was done before, nor on how often it was tried.
  ///
  /// @param shared what all pieces of a round share, such as weights: the same array for all pieces
  ///   of a round in one process, so that what is read from it can be kept
  /// @throws io.tranche.config.ConfigException if the user's configuration is wrong; this and the
  ///   next two reach whoever asked as they are, and end the round
  /// @throws io.tranche.market.DataException if data are missing or wrong
  /// @throws io.tranche.policy.weights.CheckpointException if weights are
  byte[] work(byte[] shared, byte[] piece);

  @Override
  default void close() {}
}

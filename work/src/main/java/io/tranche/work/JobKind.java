package io.tranche.work;

/// A kind of job whose pieces can run in any process, which finds it by [java.util.ServiceLoader].
public interface JobKind {

  /// Returns its unique name.
  String name();

  /// Opens a job of this kind. Called once in each process that runs pieces of it.
  ///
  /// @param setup what the whole job shares, such as a configuration
  /// @throws RuntimeException as [Job#work]
  Job open(byte[] setup);
}

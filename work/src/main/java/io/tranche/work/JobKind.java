package io.tranche.work;

/// A kind of job whose pieces can be done in any process. Found by [java.util.ServiceLoader] in
/// those that work.
public interface JobKind {

  /// Returns its name, which no other kind has.
  String name();

  /// Takes up a job of this kind; called once in each process that works on it.
  ///
  /// @param setup what the whole job shares and never changes, such as a configuration
  /// @throws RuntimeException as [Job#work]
  Job open(byte[] setup);
}

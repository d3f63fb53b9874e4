package io.tranche.experiment.work;

/// Where jobs are done.
public interface Workplace extends AutoCloseable {

  /// Returns how it is called, such as `local` or `spark://host:7077`.
  String name();

  /// Returns how many pieces are done at a time: a few times as many keep everybody busy.
  int width();

  /// Gathers those who work on a job.
  ///
  /// @param kind another process finds it by its name
  /// @param setup see [JobKind#open]
  Team open(JobKind kind, byte[] setup);

  @Override
  void close();
}

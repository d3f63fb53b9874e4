package io.tranche.work;

import io.tranche.config.ConfigException;
import io.tranche.market.BarSource;
import io.tranche.market.table.ColumnMapping;

/// Where jobs are done.
public interface JobBackend extends AutoCloseable {

  /// Returns how it is called, such as `local` or `spark://host:7077`.
  String name();

  /// Returns how many pieces are done at a time: a few times as many keep everybody busy.
  int width();

  /// Gathers those who work on a job.
  ///
  /// @param kind another process finds it by its name
  /// @param setup see [JobKind#open]
  JobSession open(JobKind kind, byte[] setup);

  /// Opens a table of bars that is read by many: a folder or the address of one, partitioned by
  /// date or however, `iceberg:LOCATION` for one of Iceberg, or `table:NAME` for one that the
  /// engine knows by name.
  ///
  /// @throws ConfigException if this place cannot
  /// @throws io.tranche.market.DataException if there is no such table
  default BarSource bars(String table, ColumnMapping mapping) {
    throw new ConfigException("--on", "a cluster, which reads tables such as " + table, name());
  }

  @Override
  void close();
}

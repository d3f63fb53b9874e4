package io.tranche.work;

import io.tranche.config.ConfigException;
import io.tranche.market.BarSource;
import io.tranche.market.table.ColumnMapping;

/// Runs jobs: the threads of this process, or a cluster.
public interface JobBackend extends AutoCloseable {

  /// Returns its name, such as `local` or `spark://host:7077`.
  String name();

  /// Returns how many pieces run at a time. A few times as many pieces keep all workers busy.
  int width();

  /// Opens a session of a job.
  ///
  /// @param kind other processes find it by its name
  /// @param setup see [JobKind#open]
  JobSession open(JobKind kind, byte[] setup);

  /// Opens a table of bars that a cluster reads: a folder or its address, partitioned or not,
  /// `iceberg:LOCATION` for an Iceberg table, or `table:NAME` for a table that the engine knows by
  /// name.
  ///
  /// @throws ConfigException if this backend cannot
  /// @throws io.tranche.market.DataException if there is no such table
  default BarSource bars(String table, ColumnMapping mapping) {
    throw new ConfigException("--on", "a cluster, which reads tables such as " + table, name());
  }

  @Override
  void close();
}

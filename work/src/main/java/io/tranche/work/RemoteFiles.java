package io.tranche.work;

import java.nio.file.Path;

/// Brings files of other file systems here. Found by [java.util.ServiceLoader] when its jars are
/// there.
public interface RemoteFiles {

  /// Copies what an address such as `hdfs://host/store` names, unless a copy of just that is here.
  ///
  /// @return where the copy is, a file or a folder; not to be changed
  /// @throws io.tranche.market.DataException if there is nothing, or it cannot be read
  Path stage(String address);
}

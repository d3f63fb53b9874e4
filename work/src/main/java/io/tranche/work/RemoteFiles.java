package io.tranche.work;

import java.nio.file.Path;

/// Copies files of other file systems to this machine. Found by [java.util.ServiceLoader] when its
/// jars are installed.
public interface RemoteFiles {

  /// Copies what an address such as `hdfs://host/store` names, unless an up-to-date copy exists.
  ///
  /// @return the copy, a file or a folder, which must not be changed
  /// @throws io.tranche.market.DataException if there is nothing at the address, or it is
  ///   unreadable
  Path stage(String address);
}

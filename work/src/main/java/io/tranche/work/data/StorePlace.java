package io.tranche.work.data;

import io.tranche.config.ConfigException;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import io.tranche.market.table.BarFiles;
import io.tranche.work.Packer;
import io.tranche.work.Unpacker;
import java.nio.file.Path;

/// A store under the name that it has in every process: of it alone instruments can be read one by
/// one.
///
/// @param path from the root
public record StorePlace(Path path, Frequency frequency) {

  /// @throws ConfigException if it is no store
  public StorePlace {
    if (!BarFiles.isStore(path)) {
      throw new ConfigException(
          "--on", "a .bin store as the source of bars (tranche data convert makes one)", path);
    }
    path = path.toAbsolutePath().normalize();
  }

  Packer pack() {
    return new Packer().put(path.toString()).put(frequency.toString());
  }

  /// @throws io.tranche.market.DataException if it is not here
  static QlibStore open(Unpacker packed) {
    Path path = Path.of(packed.nextText());
    return QlibStore.open(path, Frequency.parse(packed.nextText()));
  }
}

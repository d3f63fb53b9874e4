package io.tranche.work.data;

import io.tranche.config.ConfigException;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import io.tranche.market.table.BarFiles;
import io.tranche.work.PieceCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/// A store that every process opens under the same path. Only stores can be read one instrument at
/// a time.
///
/// @param path made absolute
public record StorePlace(Path path, Frequency frequency) {

  /// @throws ConfigException if the path is not a store
  public StorePlace {
    if (!BarFiles.isStore(path)) {
      throw new ConfigException(
          "--on", "a .bin store as the source of bars (tranche data convert makes one)", path);
    }
    path = path.toAbsolutePath().normalize();
  }

  void write(DataOutputStream out) throws IOException {
    PieceCodec.writeText(path.toString(), out);
    PieceCodec.writeText(frequency.toString(), out);
  }

  /// @throws io.tranche.market.DataException if the store is missing
  static QlibStore open(DataInputStream in) throws IOException {
    Path path = Path.of(PieceCodec.readText(in));
    return QlibStore.open(path, Frequency.parse(PieceCodec.readText(in)));
  }
}

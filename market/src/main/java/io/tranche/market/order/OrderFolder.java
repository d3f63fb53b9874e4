package io.tranche.market.order;

import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// The folder that training reads its orders from: `train`, `valid`, `test` and `all`, one file per
/// instrument, in the layout of Qlib's order script.
public final class OrderFolder {

  private OrderFolder() {}

  /// Writes the folder; nothing is visible at `target` before it is complete.
  ///
  /// @param extension of the files, which decides their format, such as `csv` or, as in Qlib,
  ///   `pkl.target`
  /// @throws DataException if `target` is not new or empty, the format cannot be written, or the
  ///   name of an instrument cannot be a file name
  public static void write(List<DayOrder> orders, OrderSplit split, String extension, Path target) {
    if (!isFree(target)) {
      throw new DataException(target.toString(), "a new or empty folder", "a folder in use");
    }
    try (StagedFolder staged = StagedFolder.create(target)) {
      for (OrderSplit.Tag tag : OrderSplit.Tag.values()) {
        Path folder = staged.folder().resolve(tag.name().toLowerCase(Locale.ROOT));
        Files.createDirectories(folder);
        for (var entry : byInstrument(split.part(orders, tag)).entrySet()) {
          String instrument = DataException.requireFileName("instrument", entry.getKey());
          Path file = folder.resolve(instrument + "." + extension);
          OrderFiles.write(DayOrder.table(entry.getValue()), file);
        }
      }
      staged.commit();
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }

  private static boolean isFree(Path target) {
    String[] entries = target.toFile().list();
    return !Files.exists(target) || (entries != null && entries.length == 0);
  }

  private static Map<String, List<DayOrder>> byInstrument(List<DayOrder> orders) {
    return orders.stream()
        .collect(
            Collectors.groupingBy(DayOrder::instrument, LinkedHashMap::new, Collectors.toList()));
  }
}

package io.tranche.market.pickle;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;

/// Pickled pandas frames and series, and the handler pickles of Qlib. Frames can be written.
public final class PickleFormat implements TableFormat {

  /// A file without rows that Qlib's `gen_pickle_data.py` leaves among those of the stocks.
  public static final String LEFTOVER = "tmp_dataset.pkl";

  private static final List<String> SUFFIXES =
      List.of(".pkl", ".pickle", ".pkl.target", ".pkl.backtest");

  @Override
  public String name() {
    return "pickle";
  }

  @Override
  public boolean accepts(Path file) {
    Path name = file.getFileName();
    return name != null && SUFFIXES.stream().anyMatch(name.toString()::endsWith);
  }

  @Override
  public Table read(Path file, List<String> columns) {
    Table table = read(file.toString(), PickleReader.contents(file));
    if (columns.isEmpty()) {
      return table;
    }
    var selected = new LinkedHashMap<String, Table.Column>();
    for (String name : columns) {
      Table.Column column = table.column(name);
      if (column == null) {
        throw new DataException(file.toString(), "a column %s".formatted(name), table.names());
      }
      selected.put(name, column);
    }
    return Table.of(selected);
  }

  static Table read(String where, ByteBuffer bytes) {
    PickleValue value = PickleReader.read(where, bytes, _ -> null);
    return HandlerPickle.isHandlerPickle(value)
        ? HandlerPickle.of(where, bytes.remaining(), value).frame()
        : new PandasFrames(where, bytes.remaining()).table(value);
  }

  @Override
  public Writer create(Path target) {
    return new PickleFileWriter(target);
  }
}

package io.tranche.market;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Puts tables of the same columns one below the other.
public final class TableStack {

  private final Map<String, List<Table.Column>> parts = new LinkedHashMap<>();
  private boolean first = true;

  /// @param file the name of the table in errors
  /// @param without columns that are left out
  /// @throws DataException if earlier tables have other columns, or others kinds of them
  public void add(String file, Table table, Set<String> without) {
    var names = new ArrayList<>(table.names());
    names.removeAll(without);
    if (first) {
      names.forEach(name -> parts.put(name, new ArrayList<>()));
      first = false;
    } else if (!parts.keySet().equals(Set.copyOf(names))) {
      throw new DataException(file, "the columns %s".formatted(parts.keySet()), names);
    }
    for (String name : names) {
      List<Table.Column> column = parts.get(name);
      Table.Column more = table.column(name);
      if (column == null || more == null) {
        throw new IllegalStateException("columns must match, was " + name);
      }
      if (!column.isEmpty() && kind(column.getFirst()) != kind(more)) {
        throw new DataException(
            file, "%s in column %s".formatted(kind(column.getFirst()), name), kind(more));
      }
      column.add(more);
    }
  }

  public boolean isEmpty() {
    return first;
  }

  public Table table() {
    var columns = new LinkedHashMap<String, Table.Column>();
    parts.forEach((name, column) -> columns.put(name, join(column)));
    return Table.of(columns);
  }

  private enum Kind {
    NUMBERS,
    TIMES,
    TEXTS
  }

  private static Kind kind(Table.Column column) {
    return switch (column) {
      case Table.Numbers _, Table.Singles _ -> Kind.NUMBERS;
      case Table.Times _ -> Kind.TIMES;
      case Table.Texts _ -> Kind.TEXTS;
    };
  }

  private static Table.Column join(List<Table.Column> columns) {
    int rows = columns.stream().mapToInt(Table.Column::size).sum();
    double[] numbers = new double[rows];
    long[] times = new long[rows];
    var texts = new @Nullable String[rows];
    boolean singles = true;
    int row = 0;
    for (Table.Column column : columns) {
      singles &= column instanceof Table.Singles;
      for (int i = 0; i < column.size(); i++, row++) {
        switch (column) {
          case Table.Numbers part -> numbers[row] = part.value(i);
          case Table.Singles part -> numbers[row] = part.value(i);
          case Table.Times part -> times[row] = part.value(i);
          case Table.Texts part -> texts[row] = part.value(i);
        }
      }
    }
    return switch (kind(columns.getFirst())) {
      case NUMBERS -> singles ? singles(numbers) : new Table.Numbers(numbers);
      case TIMES -> new Table.Times(times);
      case TEXTS -> Table.Texts.of(texts);
    };
  }

  private static Table.Singles singles(double[] numbers) {
    float[] values = new float[numbers.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) numbers[i];
    }
    return new Table.Singles(values);
  }
}

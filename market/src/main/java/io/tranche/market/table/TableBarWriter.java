package io.tranche.market.table;

import io.tranche.market.BarSeries;
import io.tranche.market.BarWriter;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;

/// Writes bars as a table of `symbol`, `datetime` and one column per field; missing bars get no
/// row.
final class TableBarWriter implements BarWriter {

  private final TableFormat.Writer out;

  TableBarWriter(TableFormat format, Path target) throws IOException {
    this.out = format.create(target);
  }

  @Override
  public void write(BarSeries series) throws IOException {
    int[] rows = new int[series.size()];
    int count = 0;
    for (int row = 0; row < rows.length; row++) {
      if (!series.isMissing(row)) {
        rows[count++] = row;
      }
    }
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = series.calendar().time(series.firstBar() + rows[i]);
    }
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("symbol", new Table.Texts(new String[] {series.instrument()}, new int[count]));
    columns.put("datetime", new Table.Times(times));
    for (int field = 0; field < series.fields().size(); field++) {
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = series.value(field, rows[i]);
      }
      columns.put(series.fields().get(field), new Table.Singles(values));
    }
    out.append(Table.of(columns));
  }

  @Override
  public void commit() throws IOException {
    out.commit();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}

package io.tranche.market.pickle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarTime;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PickledFramesTest {

  private static final long DAY = BarTime.of(LocalDate.of(2021, 3, 1));

  @TempDir Path folder;

  @Test
  void readsBackWhatItWrites() throws IOException {
    Path file = folder.resolve("orders.pkl");
    write(file, orders());

    Table read = new PickleFormat().read(file, List.of());

    assertThat(read.names())
        .containsExactly("date", "instrument", "$close0", "amount", "order_type", "id", "start");
    assertThat(read.rows()).isEqualTo(3);
    assertThat(read.time("date", 2)).isEqualTo(DAY + BarTime.SECONDS_A_DAY);
    assertThat(requireNonNull((Table.Texts) read.column("instrument")).value(1))
        .isEqualTo("SH600000");
    assertThat(read.column("$close0")).isInstanceOf(Table.Singles.class);
    assertThat(read.number("amount", 1)).isEqualTo(0.1 + 0.2);
    assertThat(read.number("order_type", 2)).isEqualTo(1);
    assertThat(requireNonNull((Table.Texts) read.column("id")).value(2)).isNull();
    assertThat(read.time("start", 1)).isEqualTo(Table.Times.MISSING);
  }

  @Test
  void pandasReadsTheSame() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("pandas");
    Path file = folder.resolve("orders.pkl.target");
    write(file, orders());

    String seen =
        Python.run(
            python,
            """
            import sys
            import pandas as pd
            frame = pd.read_pickle(sys.argv[1])
            print(frame.index.names, frame.index.is_unique, list(frame.columns))
            print([str(frame[c].dtype) for c in ["$close0", "amount", "order_type", "start"]])
            print(frame.loc[(pd.Timestamp("2021-03-02"), "SZ000001"), "amount"])
            print(repr(frame.reset_index()["amount"].iloc[1]).split("(")[-1].rstrip(")"))
            frame["amount"] += 1 # the frame can be changed
            print(frame.sort_index().groupby(level=0)["amount"].count().tolist())
            print(frame["start"].isna().tolist(), frame["id"].isna().tolist())
            """,
            file.toString());

    assertThat(seen.lines())
        .containsExactly(
            "['date', 'instrument'] True ['$close0', 'amount', 'order_type', 'id', 'start']",
            "['float32', 'float64', 'int64', 'datetime64[ns]']",
            "7.0",
            "0.30000000000000004",
            "[2, 1]",
            "[False, True, False] [False, False, True]");
  }

  private static void write(Path file, Table table) throws IOException {
    try (TableFormat.Writer writer = TableFormat.of(file).create(file)) {
      writer.append(table);
      writer.commit();
    }
  }

  private static Table orders() {
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("date", new Table.Times(new long[] {DAY, DAY, DAY + BarTime.SECONDS_A_DAY}));
    columns.put("instrument", Table.Texts.of("SZ000001", "SH600000", "SZ000001"));
    columns.put("$close0", new Table.Singles(new float[] {1.5f, Float.NaN, 3}));
    columns.put("amount", new Table.Numbers(new double[] {5, 0.1 + 0.2, 7}));
    columns.put("order_type", new Table.Numbers(new double[] {0, 0, 1}));
    columns.put("id", Table.Texts.of("a", "b", null));
    columns.put("start", new Table.Times(new long[] {DAY + 3600, Table.Times.MISSING, DAY}));
    return Table.of(columns);
  }
}

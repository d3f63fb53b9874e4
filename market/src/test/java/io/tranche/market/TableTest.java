package io.tranche.market;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import org.junit.jupiter.api.Test;

class TableTest {

  /// A cache that is bounded by memory asks for it.
  @Test
  void countsTheMemoryOfItsColumnsWithEachDistinctTextOnce() {
    var columns = new LinkedHashMap<String, Table.Column>();
    columns.put("price", new Table.Numbers(new double[3]));
    columns.put("volume", new Table.Singles(new float[3]));
    columns.put("time", new Table.Times(new long[3]));
    columns.put("stock", Table.Texts.of("one", null, "one"));
    columns.put("note", Table.Texts.of("a", "bc", "def"));

    assertThat(Table.of(columns).bytes())
        .isEqualTo(3 * (8 + 4 + 8 + 4 + 4) + (56 + 3) + (3 * 56 + 6));
  }
}

package io.tranche.cli.journal;

import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.serving.Insight;
import io.tranche.serving.Request;
import io.tranche.serving.engine.JournalReplay.Explained;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Decisions and what led to them as rows, for programs that learn from them or account for them.
/// Features are columns of their own, `feature.NAME`, missing where no model decided.
final class DecisionTable {

  private final List<Explained> rows = new ArrayList<>();
  private final Map<String, Integer> steps = new HashMap<>();

  /// @param count how many decisions an order of this model has at most
  void steps(String model, int count) {
    steps.put(model, count);
  }

  void add(Explained row) {
    rows.add(row);
  }

  /// @throws DataException if the file cannot be written
  void write(Path target) {
    try (TableFormat.Writer writer = TableFormat.of(target).create(target)) {
      writer.append(table());
      writer.commit();
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }

  private Table table() {
    Map<String, Table.Column> columns = new LinkedHashMap<>();
    columns.put("number", Table.Numbers.of(rows, Explained::sequence));
    columns.put("time", texts(Explained::time));
    columns.put("order", texts(each -> request(each).id()));
    columns.put("instrument", texts(each -> request(each).instrument()));
    columns.put("date", texts(each -> request(each).date()));
    columns.put("side", texts(each -> request(each).side().name().toLowerCase(Locale.ROOT)));
    columns.put("amount", Table.Numbers.of(rows, each -> request(each).amount()));
    columns.put("model", texts(each -> each.order().model()));
    columns.put("step", Table.Numbers.of(rows, each -> each.decided().child().step()));
    columns.put(
        "steps",
        Table.Numbers.of(rows, each -> steps.getOrDefault(each.order().model(), 0).doubleValue()));
    columns.put("remaining", Table.Numbers.of(rows, each -> each.decided().seen()));
    columns.put("wish", Table.Numbers.of(rows, each -> each.decided().wish()));
    columns.put("volume", Table.Numbers.of(rows, each -> each.decided().child().volume()));
    columns.put("source", texts(each -> each.decided().child().source()));
    columns.put("newest_bar", texts(Explained::newestBar));
    for (String feature : features()) {
      columns.put("feature." + feature, Table.Numbers.of(rows, each -> feature(each, feature)));
    }
    return Table.of(columns);
  }

  private static Request.OpenOrder request(Explained row) {
    return row.order().request();
  }

  private Set<String> features() {
    Set<String> names = new LinkedHashSet<>();
    for (Explained each : rows) {
      Insight insight = each.insight();
      if (insight != null) {
        names.addAll(insight.features().keySet());
      }
    }
    return names;
  }

  private static double feature(Explained row, String name) {
    Insight insight = row.insight();
    Float value = insight == null ? null : insight.features().get(name);
    return value == null ? Double.NaN : value;
  }

  private Table.Texts texts(Function<Explained, @Nullable Object> value) {
    return Table.Texts.of(
        rows.stream()
            .map(value)
            .map(each -> each == null ? null : each.toString())
            .toArray(String[]::new));
  }
}

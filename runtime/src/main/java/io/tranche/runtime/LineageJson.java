package io.tranche.runtime;

import io.tranche.policy.state.Fields;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A [Lineage] as JSON.
final class LineageJson {

  private LineageJson() {}

  static byte[] write(Lineage lineage) {
    List<LinkedHashMap<String, @Nullable Object>> sources = new ArrayList<>();
    for (Lineage.Source each : lineage.sources()) {
      var source = new LinkedHashMap<String, @Nullable Object>();
      source.put("file", each.file());
      source.put("sha256", each.sha256());
      source.put("iteration", each.iteration());
      sources.add(source);
    }
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("config_sha256", lineage.configSha256());
    fields.put("orders_sha256", lineage.ordersSha256());
    fields.put("data_sha256", lineage.dataSha256());
    fields.put("version", lineage.version());
    fields.put("commit", lineage.commit());
    fields.put("sources", sources);
    fields.put("first_day", text(lineage.firstDay()));
    fields.put("last_day", text(lineage.lastDay()));
    return PlainJson.write(fields);
  }

  private static @Nullable String text(@Nullable LocalDate date) {
    return date == null ? null : date.toString();
  }

  static Lineage read(String where, byte[] bytes) {
    var fields = new Fields(where, PlainJson.read(where, bytes));
    Fields list = fields.field("sources");
    var sources = new ArrayList<Lineage.Source>();
    for (int i = 0; i < list.list().size(); i++) {
      Fields each = list.item(i);
      Fields iteration = each.field("iteration");
      sources.add(
          new Lineage.Source(
              each.field("file").text(),
              each.field("sha256").text(),
              iteration.value() == null ? null : iteration.count()));
    }
    return new Lineage(
        text(fields.field("config_sha256")),
        text(fields.field("orders_sha256")),
        text(fields.field("data_sha256")),
        text(fields.field("version")),
        text(fields.field("commit")),
        sources,
        date(fields.field("first_day")),
        date(fields.field("last_day")));
  }

  private static @Nullable String text(Fields field) {
    return field.value() == null ? null : field.text();
  }

  private static @Nullable LocalDate date(Fields field) {
    String text = text(field);
    try {
      return text == null ? null : LocalDate.parse(text);
    } catch (DateTimeException e) {
      throw new CheckpointException(field.where(), "a date such as 2020-01-31", text, e);
    }
  }
}

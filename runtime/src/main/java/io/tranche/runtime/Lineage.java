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

/// Where a model comes from. Unknown values are null.
///
/// @param configSha256 of the resolved configuration it was trained with
/// @param ordersSha256 of the orders it was trained on
/// @param dataSha256 of the origin of its bars: the settings of the embedded market, the
///   fingerprint of a feature store, or else the files
/// @param version of Tranche that wrote the bundle
/// @param commit of that Tranche
/// @param sources one per member
/// @param firstDay the first day of the orders it was trained on
/// @param lastDay the last day; the model has seen nothing after it
public record Lineage(
    @Nullable String configSha256,
    @Nullable String ordersSha256,
    @Nullable String dataSha256,
    @Nullable String version,
    @Nullable String commit,
    List<Source> sources,
    @Nullable LocalDate firstDay,
    @Nullable LocalDate lastDay) {

  /// @param file its name without folders
  /// @param sha256 of the file
  /// @param iteration the number of training iterations
  public record Source(String file, String sha256, @Nullable Long iteration) {}

  public Lineage {
    sources = List.copyOf(sources);
  }

  byte[] toJson() {
    List<LinkedHashMap<String, @Nullable Object>> members = new ArrayList<>();
    for (Source each : sources) {
      var source = new LinkedHashMap<String, @Nullable Object>();
      source.put("file", each.file());
      source.put("sha256", each.sha256());
      source.put("iteration", each.iteration());
      members.add(source);
    }
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("config_sha256", configSha256);
    fields.put("orders_sha256", ordersSha256);
    fields.put("data_sha256", dataSha256);
    fields.put("version", version);
    fields.put("commit", commit);
    fields.put("sources", members);
    fields.put("first_day", text(firstDay));
    fields.put("last_day", text(lastDay));
    return PlainJson.write(fields);
  }

  private static @Nullable String text(@Nullable LocalDate date) {
    return date == null ? null : date.toString();
  }

  static Lineage read(String where, byte[] bytes) {
    var fields = new Fields(where, PlainJson.read(where, bytes));
    Fields list = fields.field("sources");
    var sources = new ArrayList<Source>();
    for (int i = 0; i < list.list().size(); i++) {
      Fields each = list.item(i);
      Fields iteration = each.field("iteration");
      sources.add(
          new Source(
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

package io.tranche.analysis.report;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.report.ReportData.CheckpointScore;
import io.tranche.analysis.report.ReportData.CostItem;
import io.tranche.analysis.report.ReportData.Learning;
import io.tranche.analysis.report.ReportData.Origin;
import io.tranche.analysis.report.ReportData.Results;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.StdScalarSerializer;
import tools.jackson.databind.ser.std.ToStringSerializer;
import tools.jackson.databind.type.LogicalType;

/// Reports and charts as JSON: every number with all its digits, null where it is not known.
final class ReportJson {

  private static final int FORMAT = 1;

  /// The size of a report of a million orders, in bytes.
  private static final long LARGEST = 512L << 20;

  private static final int SHOWN = 60;

  /// What the comparisons of older reports do not have.
  private static final List<String> LATER =
      List.of("completion", "reference_completion", "scatter_bps");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultVisibility(
              visibility -> visibility.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .withCoercionConfig(
              LogicalType.Textual,
              text ->
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .changeDefaultNullHandling(_ -> JsonSetter.Value.forValueNulls(Nulls.FAIL, Nulls.FAIL))
          .withConfigOverride(
              double.class,
              number -> number.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.SET)))
          .withConfigOverride(
              Verdict.class,
              verdict -> verdict.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.SET)))
          .addModule(
              new SimpleModule()
                  .addSerializer(double.class, new NumberWriter())
                  .addSerializer(Double.class, new NumberWriter())
                  .addDeserializer(double.class, new NumberReader())
                  .addSerializer(LocalDateTime.class, ToStringSerializer.instance))
          .build();

  /// Charts as the page's script reads them.
  private static final JsonMapper CHARTS =
      JSON.rebuild().propertyNamingStrategy(PropertyNamingStrategies.LOWER_CAMEL_CASE).build();

  private ReportJson() {}

  private static final class NumberWriter extends StdScalarSerializer<Double> {

    NumberWriter() {
      super(Double.class);
    }

    @Override
    public void serialize(Double number, JsonGenerator json, SerializationContext context) {
      if (Double.isFinite(number)) {
        json.writeNumber(number);
      } else {
        json.writeNull(); // also for a sum of absurd numbers, which JSON cannot hold
      }
    }
  }

  private static final class NumberReader extends StdScalarDeserializer<Double> {

    NumberReader() {
      super(double.class);
    }

    @Override
    public Double deserialize(JsonParser json, DeserializationContext context) {
      return json.currentToken().isNumeric() && Double.isFinite(json.getDoubleValue())
          ? json.getDoubleValue()
          : (Double) context.handleUnexpectedToken(double.class, json);
    }

    @Override
    public Double getNullValue(DeserializationContext context) {
      return Double.NaN;
    }
  }

  /// What grows with the orders or the iterations.
  private static final Set<String> LONG = Set.of("training", "examples", "orders");

  /// A report as the file has it: flat, and what is long at the end, so that the rest can be read
  /// without it.
  private record Stored(
      int format,
      String title,
      String description,
      @Nullable Verdict verdict,
      List<Comparison> comparisons,
      List<CostItem> costs,
      List<CheckpointScore> checkpoints,
      List<String> warnings,
      String config,
      String commit,
      List<TrainingPoint> training,
      List<ExampleOrder> examples,
      List<OrderRow> orders) {

    static Stored of(ReportData data) {
      return new Stored(
          FORMAT,
          data.title(),
          data.description(),
          data.verdict(),
          data.results().comparisons(),
          data.results().costs(),
          data.learning().checkpoints(),
          data.origin().warnings(),
          data.origin().config(),
          data.origin().commit(),
          data.learning().training(),
          data.results().examples(),
          data.results().orders());
    }

    ReportData data() {
      return new ReportData(
          title,
          description,
          verdict,
          new Results(comparisons, orders, costs, examples),
          new Learning(training, checkpoints),
          new Origin(warnings, config, commit));
    }
  }

  /// Writes piece by piece: a report of many orders is never in memory twice.
  static void write(ReportData data, Path file) throws IOException {
    try (var out = Files.newOutputStream(file)) {
      JSON.writerWithDefaultPrettyPrinter().writeValue(out, Stored.of(data));
    } catch (JacksonException e) { // unchecked, even for a full disk
      throw new IOException(e.getOriginalMessage(), e);
    }
  }

  /// Returns a JSON list that may stand inside a script element: no text in it can end the element.
  static String of(List<Chart> charts) {
    return CHARTS
        .writeValueAsString(charts.toArray(Chart[]::new))
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026");
  }

  /// @throws DataException if the file cannot be read or is no report; names the place
  static ReportData read(Path file) {
    return bind(file, tree(file));
  }

  /// Reads a report without its orders, examples and training, however many there are.
  ///
  /// @throws DataException as above
  static ReportData readSummary(Path file) {
    ObjectNode root = JSON.createObjectNode();
    LONG.forEach(root::putArray);
    try (JsonParser json = JSON.createParser(file)) {
      JsonToken first = json.nextToken();
      while (first == JsonToken.START_OBJECT && json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        if (!LONG.contains(name)) {
          root.set(name, json.readValueAsTree());
        } else if (root.size() == Stored.class.getRecordComponents().length) {
          break; // nothing but long parts is left
        } else {
          json.skipChildren();
        }
      }
    } catch (JacksonException e) {
      throw unread(file, e);
    }
    return bind(file, root);
  }

  private static ReportData bind(Path file, JsonNode root) {
    JsonNode format = root.path("format");
    if (format.isMissingNode()) {
      throw wrong(file, "", "an object with 'format'", root);
    }
    if (format.asInt(0) != FORMAT) {
      throw wrong(file, "format", Integer.toString(FORMAT), format);
    }
    for (JsonNode comparison : root.path("comparisons")) {
      if (comparison instanceof ObjectNode older) {
        LATER.stream().filter(name -> !older.has(name)).forEach(older::putNull);
      }
    }
    try {
      return JSON.treeToValue(root, Stored.class).data();
    } catch (JacksonException e) {
      throw wrong(file, root, e);
    } catch (IllegalArgumentException e) {
      throw new DataException(file.toString(), "valid values", e.getMessage(), e);
    }
  }

  private static JsonNode tree(Path file) {
    try {
      long size = Files.size(file);
      if (size > LARGEST) {
        throw new DataException(
            file.toString(), "at most %d bytes".formatted(LARGEST), size + " bytes");
      }
      return JSON.readTree(Files.readAllBytes(file));
    } catch (JacksonException e) {
      throw unread(file, e);
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage(), e);
    }
  }

  private static DataException unread(Path file, JacksonException e) {
    if (e instanceof JacksonIOException) {
      return new DataException(
          file.toString(), "a file that can be read", e.getOriginalMessage(), e);
    }
    return new DataException(
        "%s:%d".formatted(file, e.getLocation() == null ? 0 : e.getLocation().getLineNr()),
        "JSON",
        e.getOriginalMessage(),
        e);
  }

  /// Names the place that a value could not be bound at, and what it should be.
  private static DataException wrong(Path file, JsonNode root, JacksonException e) {
    JsonNode node = root;
    var place = new StringBuilder();
    for (JacksonException.Reference step : e.getPath()) {
      String name = step.getPropertyName();
      JsonNode child = name == null ? node.path(step.getIndex()) : node.path(name);
      if (child.isMissingNode()) {
        return wrong(file, place.toString(), "an object with '" + name + "'", node);
      }
      place.append(
          name == null ? "[%d]".formatted(step.getIndex()) : place.isEmpty() ? name : "." + name);
      node = child;
    }
    if (e instanceof ValueInstantiationException) {
      return new DataException(
          where(file, place.toString()),
          "valid values",
          e.getCause() == null ? e.getOriginalMessage() : e.getCause().getMessage(),
          e);
    }
    Class<?> type =
        e instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
    return wrong(file, place.toString(), expected(type), node);
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == null) {
      return "a value";
    }
    if (type.isEnum()) {
      return "one of " + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    return switch (type.getSimpleName()) {
      case "String" -> "text";
      case "int" -> "a whole number";
      case "double" -> "a number";
      case "LocalDateTime" -> "a time such as 2021-03-01T09:30";
      default -> "an object";
    };
  }

  private static DataException wrong(Path file, String place, String expected, JsonNode was) {
    String text = was.toString();
    return new DataException(
        where(file, place),
        expected,
        text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…");
  }

  private static String where(Path file, String place) {
    return place.isEmpty() ? file.toString() : file + ": " + place;
  }
}

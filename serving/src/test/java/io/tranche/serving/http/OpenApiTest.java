package io.tranche.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The document that is served says what the server does.
class OpenApiTest {

  private static final Map<?, ?> DOCUMENT = document();
  private static final List<Endpoint> ENDPOINTS =
      new Endpoints(
              Backend.of(new MemoryService()),
              HttpLimits.DEFAULT,
              new Traffic(HttpLimits.DEFAULT),
              () -> {})
          .all();

  private static Map<?, ?> document() {
    try (var in = Endpoints.class.getResourceAsStream("openapi.json");
        JsonParser json =
            new JsonFactory().createParser(ObjectReadContext.empty(), Objects.requireNonNull(in))) {
      json.nextToken();
      return (Map<?, ?>) Objects.requireNonNull(value(json));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static @Nullable Object value(JsonParser json) {
    JsonToken token = json.currentToken();
    if (token == JsonToken.START_OBJECT) {
      var map = new LinkedHashMap<String, @Nullable Object>();
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        json.nextToken();
        map.put(name, value(json));
      }
      return map;
    }
    if (token == JsonToken.START_ARRAY) {
      List<@Nullable Object> list = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        list.add(value(json));
      }
      return list;
    }
    return json.getString();
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return (Map<?, ?>) Objects.requireNonNull(value);
  }

  @Test
  void everyEndpointIsThereAndNoOther() {
    var documented = new TreeSet<String>();
    map(DOCUMENT.get("paths"))
        .forEach(
            (path, methods) ->
                map(methods)
                    .keySet()
                    .forEach(
                        method ->
                            documented.add(
                                method.toString().toUpperCase(Locale.ROOT) + " " + path)));
    var served = new TreeSet<String>();
    ENDPOINTS.forEach(each -> served.add(each.method() + " " + each.path()));

    assertThat(documented).isEqualTo(served);
    assertThat(DOCUMENT.get("openapi")).isEqualTo("3.1.0");
  }

  @Test
  void bodiesParametersAndTokensAreThoseOfTheServer() {
    for (Endpoint each : ENDPOINTS) {
      var operation =
          map(
              map(map(DOCUMENT.get("paths")).get(each.path()))
                  .get(each.method().name().toLowerCase(Locale.ROOT)));
      String type =
          switch (each.body()) {
            case NONE -> null;
            case JSON, OPTIONAL_JSON -> "application/json";
            case FRAMES -> "application/x-tranche";
          };
      Object body = operation.get("requestBody");
      if (type == null) {
        assertThat(body).isNull();
      } else {
        assertThat(map(map(body).get("content")).keySet().toString()).isEqualTo("[" + type + "]");
        assertThat(map(body).get("required"))
            .isEqualTo(each.body() == Endpoint.Body.OPTIONAL_JSON ? "false" : "true");
      }
      assertThat(operation.containsKey("parameters")).isEqualTo(each.path().contains("{id}"));
      assertThat(operation.containsKey("security"))
          .isEqualTo(each.access() == Endpoint.Access.OPERATOR);
    }
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    var references = new ArrayList<String>();
    collect(DOCUMENT, references);

    assertThat(references).isNotEmpty();
    for (String each : references) {
      Object at = DOCUMENT;
      for (String name : each.substring(2).split("/", -1)) {
        at = map(at).get(name);
      }
      assertThat(at).as(each).isNotNull();
    }
  }

  private static void collect(@Nullable Object value, List<String> references) {
    switch (value) {
      case Map<?, ?> map ->
          map.forEach(
              (key, item) -> {
                if (key.equals("$ref")) {
                  references.add(String.valueOf(item));
                } else {
                  collect(item, references);
                }
              });
      case List<?> list -> list.forEach(item -> collect(item, references));
      case null, default -> {}
    }
  }
}

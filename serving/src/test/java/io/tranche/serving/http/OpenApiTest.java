package io.tranche.serving.http;

import static io.tranche.serving.JsonTree.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.JsonTree;
import io.tranche.serving.Schema;
import io.tranche.serving.wire.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The OpenAPI document matches the server.
class OpenApiTest {

  private static final Map<?, ?> DOCUMENT = document();
  private static final List<Endpoint> ENDPOINTS =
      new Endpoints(
              HttpServer.Backend.of(new MemoryService()),
              HttpLimits.DEFAULT,
              new Traffic(HttpLimits.DEFAULT),
              () -> {})
          .all();

  private static Map<?, ?> document() {
    try (var in = Objects.requireNonNull(Endpoints.class.getResourceAsStream("openapi.json"))) {
      return map(JsonTree.read(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
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
        assertThat(map(body).get("required")).isEqualTo(each.body() != Endpoint.Body.OPTIONAL_JSON);
      }
      assertThat(operation.containsKey("parameters")).isEqualTo(each.path().contains("{id}"));
      assertThat(operation.containsKey("security"))
          .isEqualTo(
              each.access() == Endpoint.Access.OPERATOR || each.access() == Endpoint.Access.RISK);
    }
  }

  @Test
  void everyErrorWordHasAnExample() {
    var error = map(map(map(DOCUMENT.get("components")).get("schemas")).get("Error"));
    var words =
        new TreeSet<>(
            ((List<?>)
                    Objects.requireNonNull(
                        map(map(error.get("properties")).get("error")).get("enum")))
                .stream().map(Object::toString).toList());
    var examples = new TreeSet<String>();
    map(map(DOCUMENT.get("components")).get("responses"))
        .values()
        .forEach(
            response ->
                map(map(map(map(response).get("content")).get("application/json")).get("examples"))
                    .forEach(
                        (word, example) -> {
                          examples.add(word.toString());
                          var value = map(map(example).get("value"));
                          assertThat(value.get("error")).isEqualTo(word);
                          assertThat(new Schema(DOCUMENT).complaints(error, value)).isEmpty();
                        }));

    assertThat(examples).isEqualTo(words);
    for (Answer.Reason each : Answer.Reason.values()) {
      assertThat(words).contains(StrictJson.nameOf(each));
    }
  }

  @Test
  void itIsAsOpenApiWantsIt() {
    assertThat(DOCUMENT.keySet().toString())
        .isEqualTo("[openapi, info, servers, paths, components]");
    assertThat(map(DOCUMENT.get("info")).get("title")).isInstanceOf(String.class);
    assertThat(map(DOCUMENT.get("info")).get("version")).isInstanceOf(String.class);
    var ids = new TreeSet<String>();
    for (Endpoint each : ENDPOINTS) {
      var operation =
          map(
              map(map(DOCUMENT.get("paths")).get(each.path()))
                  .get(each.method().name().toLowerCase(Locale.ROOT)));
      assertThat(ids.add(String.valueOf(operation.get("operationId")))).isTrue();
      assertThat(operation.get("summary")).isInstanceOf(String.class);
      if (operation.get("parameters") instanceof List<?> parameters) {
        assertThat(parameters).hasSize(1);
        assertThat(map(parameters.getFirst()).get("name")).isEqualTo("id");
        assertThat(map(parameters.getFirst()).get("in")).isEqualTo("path");
        assertThat(map(parameters.getFirst()).get("required")).isEqualTo(true);
      }
      var responses = map(operation.get("responses"));
      assertThat(responses.containsKey("200")).isTrue();
      assertThat(responses.containsKey("default")).isTrue();
      responses.forEach(
          (status, response) -> {
            assertThat(status.toString()).matches("[1-5]\\d\\d|default");
            Object ref = map(response).get("$ref");
            var whole =
                ref == null ? map(response) : map(new Schema(DOCUMENT).resolve(ref.toString()));
            assertThat(whole.get("description")).isInstanceOf(String.class);
            map(whole.get("content"))
                .values()
                .forEach(content -> requireSchema(map(content).get("schema")));
          });
    }
    map(map(DOCUMENT.get("components")).get("schemas"))
        .values()
        .forEach(OpenApiTest::requireSchema);
  }

  private static void requireSchema(@Nullable Object schema) {
    var keywords = map(schema);
    assertThat(keywords).isNotEmpty();
    assertThat(Schema.KEYWORDS)
        .containsAll(keywords.keySet().stream().map(Object::toString).toList());
    if (keywords.containsKey("properties")) {
      var properties = map(keywords.get("properties"));
      properties.values().forEach(OpenApiTest::requireSchema);
      if (keywords.get("required") instanceof List<?> names) {
        names.forEach(name -> assertThat(properties.containsKey(name)).as("%s", name).isTrue());
      }
    }
    if (keywords.containsKey("items")) {
      requireSchema(keywords.get("items"));
    }
    if (keywords.get("oneOf") instanceof List<?> choices) {
      choices.forEach(OpenApiTest::requireSchema);
    }
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    var references = new ArrayList<String>();
    collect(DOCUMENT, references);

    assertThat(references).isNotEmpty();
    var used = new TreeSet<String>(references);
    for (String each : used) {
      assertThat(new Schema(DOCUMENT).resolve(each)).as(each).isNotNull();
    }
    map(DOCUMENT.get("components"))
        .forEach(
            (kind, all) -> {
              if (!kind.equals("securitySchemes")) {
                map(all)
                    .keySet()
                    .forEach(
                        name -> assertThat(used).contains("#/components/" + kind + "/" + name));
              }
            });
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

package io.tranche.dashboard.http;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class WebServerTest {

  @Test
  void aPageThatNeedsTooMuchMemoryIsToldAndOthersGoOn() throws Exception {
    var defects = new ArrayList<String>();
    WebPages pages =
        request -> {
          if (request.path().equals("/api/large")) {
            throw new OutOfMemoryError("Java heap space");
          }
          return WebAnswer.json("small");
        };
    try (var client = HttpClient.newHttpClient();
        var server =
            WebServer.start(
                new WebServer.Settings("127.0.0.1", 0, null),
                new PageFiles(),
                pages,
                new LiveMessages(),
                defects::add)) {
      HttpResponse<String> large = get(client, server.url() + "/api/large");
      HttpResponse<String> small = get(client, server.url() + "/api/small");

      assertThat(large.statusCode()).isEqualTo(507);
      assertDocumented(JsonMapper.shared().readTree(large.body()).path("message").asString());
      assertThat(small.body()).isEqualTo("\"small\"");
    }
    assertThat(defects).isEmpty();
  }

  private static HttpResponse<String> get(HttpClient client, String url) throws Exception {
    return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
  }
}

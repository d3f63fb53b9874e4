package io.tranche.serving.http;

import static io.tranche.serving.http.RawClient.json;
import static io.tranche.serving.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who may talk to a server, and how.
class SecurityTest {

  @TempDir Path folder;

  private static HttpConfig config(
      String bind, @Nullable Token token, HttpConfig.@Nullable Tls tls) {
    return new HttpConfig(bind, 0, token, tls, HttpLimits.DEFAULT, 1, 1);
  }

  private static HttpServer start(HttpConfig config) {
    return HttpServer.start(
        config,
        HttpServer.Backend.of(new MemoryService()),
        new ServiceLog(ServiceLog.Level.ERROR, _ -> {}));
  }

  @Test
  void anyAddressButLoopbackNeedsAToken() {
    assertThatThrownBy(() -> config("0.0.0.0", null, null))
        .isInstanceOf(ConfigException.class)
        .hasMessage("token_file: expected a token for any address but loopback, was none");
    assertThatThrownBy(() -> config("no such address", null, null))
        .isInstanceOf(ConfigException.class);
    assertThat(config("::1", null, null).bind()).isEqualTo("::1");
  }

  @Test
  void elsewhereEveryCallShowsTheToken() throws IOException {
    try (var server = start(config("0.0.0.0", new Token(TestServer.TOKEN), null));
        var client = new RawClient(server)) {
      String shown = "authorization: Bearer " + TestServer.TOKEN;

      assertThat(client.ask(request("GET", "/health")).status()).isEqualTo(200);
      assertThat(client.ask(request("GET", "/ready")).status()).isEqualTo(200);
      assertThat(client.ask(request("GET", "/metrics")).status()).isEqualTo(401);
      assertThat(client.ask(request("GET", "/openapi.json")).status()).isEqualTo(401);
      assertThat(client.ask(json("/v1/orders/x/decide", "{}")).status()).isEqualTo(401);
      assertThat(client.ask(json("/v1/orders/x/decide", "{}", shown)).status()).isEqualTo(404);
      assertThat(client.ask(request("GET", "/metrics", shown)).status()).isEqualTo(200);
    }
  }

  @Test
  void withoutATokenNobodyAdministers() throws IOException {
    try (var server = start(config("127.0.0.1", null, null));
        var client = new RawClient(server)) {
      var reply =
          client.ask(
              json("/v1/admin/models/load", "{\"model\":\"a\"}", "authorization: Bearer null"));

      assertThat(reply.status()).isEqualTo(403);
    }
  }

  @Test
  void aPageOfAnotherOriginIsKeptOut() throws IOException {
    try (var server = start(config("127.0.0.1", null, null))) {
      for (String header :
          java.util.List.of(
              "origin: https://evil.example",
              "origin: null",
              "sec-fetch-site: cross-site",
              "content-type: text/plain")) {
        try (var client = new RawClient(server)) {
          assertThat(client.ask(request("POST", "/v1/orders/x/cancel", header)).status())
              .as(header)
              .isIn(403, 415);
        }
      }
      try (var client = new RawClient(server)) {
        assertThat(client.ask(request("POST", "/v1/orders/x/cancel")).status()).isEqualTo(404);
      }
    }
  }

  @Test
  void rolesBoundWhatATokenAllows() throws IOException {
    var config =
        HttpConfig.DEFAULT
            .withPort(0)
            .withThreads(1)
            .withDrainSeconds(1)
            .withTokens(
                new Token("operator-operator"),
                new Token("client-client-client"),
                new Token("reader-reader-reader"));
    String end = "{\"up_to\":\"2026-03-03\"}";
    String one = "{\"instrument\":\"A\",\"up_to\":\"2026-03-03\"}";
    String load = "{\"model\":\"a@1\"}";
    try (var server = start(config);
        var http = new RawClient(server)) {
      String reader = "authorization: Bearer reader-reader-reader";
      String client = "authorization: Bearer client-client-client";
      String operator = "authorization: Bearer operator-operator";

      assertThat(http.ask(request("GET", "/v1/orders")).status()).isEqualTo(401);
      assertThat(http.ask(request("GET", "/v1/orders", reader)).status()).isEqualTo(200);
      assertThat(http.ask(json("/v1/days/end", one, reader)).status()).isEqualTo(403);
      assertThat(http.ask(json("/v1/days/end", one, client)).status()).isEqualTo(200);
      assertThat(http.ask(json("/v1/days/end", end, client)).status()).isEqualTo(403);
      assertThat(http.ask(json("/v1/admin/models/load", load, client)).status()).isEqualTo(403);
      assertThat(http.ask(json("/v1/days/end", end, operator)).status()).isEqualTo(200);
      assertThat(http.ask(json("/v1/admin/models/load", load, operator)).status()).isEqualTo(200);
    }
  }

  @Test
  void withoutATokenNobodyEndsAllDays() throws IOException {
    try (var server = start(config("127.0.0.1", null, null));
        var client = new RawClient(server)) {
      assertThat(client.ask(json("/v1/days/end", "{\"up_to\":\"2026-03-03\"}")).status())
          .isEqualTo(403);
    }
  }

  @Test
  void tokensAreReadFromAFileAndNeverShown() throws IOException {
    Path file = Files.writeString(folder.resolve("token"), TestServer.TOKEN + "\n");
    Token token = Token.read(file);

    assertThat(token.isShown("Bearer " + TestServer.TOKEN)).isTrue();
    assertThat(token.isShown("bearer  " + TestServer.TOKEN)).isTrue();
    assertThat(token.isShown(TestServer.TOKEN)).isFalse();
    assertThat(token.isShown("Bearer")).isFalse();
    assertThat(token.isShown(null)).isFalse();
    assertThat(config("0.0.0.0", token, null).toString()).doesNotContain(TestServer.TOKEN);
    Files.writeString(file, "short");
    assertThatThrownBy(() -> Token.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("16 to 512 visible ASCII characters, was 5 characters")
        .hasMessageNotContaining("'short'");
    assertThatThrownBy(() -> Token.read(folder.resolve("none")))
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void twoServersDoNotShareAPort() {
    try (var server = start(config("127.0.0.1", null, null))) {
      var taken = config("127.0.0.1", null, null).withPort(server.address().getPort());

      assertThatThrownBy(() -> start(taken))
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith(
              "bind: expected an address of this machine and a port that is free");
    }
  }

  @Test
  void talksTls() throws Exception {
    KeyStore keys = keys();
    Path certificate =
        pem("certificate", "CERTIFICATE", keys.getCertificate("service").getEncoded());
    Path key =
        pem("key", "PRIVATE KEY", keys.getKey("service", "secret".toCharArray()).getEncoded());
    var tls = new HttpConfig.Tls(certificate, key);
    try (var server = start(config("127.0.0.1", null, tls));
        var client = new RawClient(server, trusting(keys.getCertificate("service")))) {
      assertThat(server.url()).startsWith("https://");
      for (int i = 0; i < 3; i++) {
        assertThat(client.ask(request("GET", "/health")).status()).isEqualTo(200);
      }
      try (var plain = new RawClient(server)) {
        plain.send(request("GET", "/health"));
        assertThat(plain.isClosed()).isTrue();
      }
    }
    Files.writeString(key, "no key");
    assertThatThrownBy(() -> start(config("127.0.0.1", null, tls)))
        .isInstanceOf(ConfigException.class);
  }

  /// Creates a certificate as an operator would.
  private KeyStore keys() throws Exception {
    Path store = folder.resolve("keys.p12");
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "service",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "secret")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(store)) {
      keys.load(in, "secret".toCharArray());
    }
    return keys;
  }

  private Path pem(String file, String kind, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(file),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, text, kind));
  }

  private static Socket trusting(Certificate certificate) throws Exception {
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("service", certificate);
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context.getSocketFactory().createSocket();
  }
}

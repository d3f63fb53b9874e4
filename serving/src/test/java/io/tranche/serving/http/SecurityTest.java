package io.tranche.serving.http;

import static io.tranche.serving.http.RawClient.json;
import static io.tranche.serving.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.files.Sha256;
import io.tranche.serving.Caller;
import io.tranche.serving.Service;
import io.tranche.serving.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
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

  private static HttpConfig withUsers(Users users) {
    return new HttpConfig("127.0.0.1", 0, users, null, HttpLimits.DEFAULT, 1, 1, null);
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
        withUsers(
            Users.read(
                null,
                Files.writeString(folder.resolve("operator"), "operator-operator"),
                Files.writeString(folder.resolve("client"), "client-client-client"),
                Files.writeString(folder.resolve("reader"), "reader-reader-reader")));
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

  private static String line(String name, String role, String token) {
    return "%s %s %s%n".formatted(name, role, Sha256.of(token.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void usersHaveNamesAndRolesAndTheirTokensRotate() throws Exception {
    Path file = folder.resolve("users");
    Files.writeString(
        file,
        "# who may call%n".formatted()
            + line("anna", "risk", "anna-anna-anna-1")
            + line("bob", "client", "bob-bob-bob-bob-1")
            + line("carl", "operator", "carl-carl-carl-1"));
    var log = new CopyOnWriteArrayList<String>();
    var callers = new CopyOnWriteArrayList<String>();
    var memory = new MemoryService();
    Service service =
        (request, reply) -> {
          callers.add(Caller.name());
          memory.handle(request, reply);
        };
    String limits = "{\"scope\":\"all\",\"limits\":{\"slice\":5}}";
    String off = "{\"scope\":\"all\",\"off\":true}";
    String load = "{\"model\":\"a@1\"}";
    String anna = "authorization: Bearer anna-anna-anna-1";
    try (var server =
            HttpServer.start(
                withUsers(Users.read(file, null, null, null)),
                HttpServer.Backend.of(service),
                new ServiceLog(ServiceLog.Level.WARN, log::add));
        var http = new RawClient(server)) {
      assertThat(http.ask(json("/v1/admin/limits", limits, anna)).status()).isEqualTo(200);
      assertThat(http.ask(json("/v1/admin/switches", off, anna)).status()).isEqualTo(200);
      assertThat(http.ask(request("GET", "/v1/orders", anna)).status()).isEqualTo(200);
      assertThat(http.ask(json("/v1/admin/models/load", load, anna)).status()).isEqualTo(403);
      assertThat(http.ask(json("/v1/orders/x/decide", "{}", anna)).status()).isEqualTo(403);
      String bob = "authorization: Bearer bob-bob-bob-bob-1";
      assertThat(http.ask(json("/v1/admin/limits", limits, bob)).status()).isEqualTo(403);
      assertThat(http.ask(json("/v1/orders/x/decide", "{}", bob)).status()).isEqualTo(404);
      assertThat(callers).contains("anna@127.0.0.1", "bob@127.0.0.1");
      assertThat(http.ask(request("GET", "/v1/orders", "authorization: Bearer x")).status())
          .isEqualTo(401);
      assertThat(log)
          .anyMatch(each -> each.contains("the token is wrong") && each.contains("127.0.0.1"))
          .noneMatch(each -> each.contains("Bearer"));

      Files.writeString(file, line("anna", "risk", "anna-anna-anna-2"));
      Waiting.until(() -> status(http, anna) == 401);
      String now = "authorization: Bearer anna-anna-anna-2";
      assertThat(http.ask(json("/v1/admin/limits", limits, now)).status()).isEqualTo(200);
      assertThat(status(http, "accept: */*")).as("nobody without a token").isEqualTo(401);
      Files.writeString(file, "anna risk nonsense");
      Waiting.until(
          () -> {
            assertThat(status(http, now)).as("a broken file changes nothing").isEqualTo(200);
            return log.stream().anyMatch(each -> each.contains("tokens stay as they were"));
          });
    }
  }

  private static int status(RawClient http, String header) {
    try {
      return http.ask(request("GET", "/v1/orders", header)).status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFileOfUsersIsHeldToItsForm() throws IOException {
    Path file = folder.resolve("users");
    String hash = Sha256.of("x".getBytes(StandardCharsets.UTF_8));
    for (String wrong :
        java.util.List.of("anna", "anna king " + hash, "anna risk 12", "an/na risk " + hash)) {
      Files.writeString(file, wrong);
      assertThatThrownBy(() -> Users.read(file, null, null, null))
          .as(wrong)
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith(file + ":1: expected");
    }
  }

  @Test
  void clientsNeedACertificateIfThereIsAnAuthority() throws Exception {
    KeyStore keys = keys();
    Path certificate =
        pem("certificate", "CERTIFICATE", keys.getCertificate("service").getEncoded());
    Path key =
        pem("key", "PRIVATE KEY", keys.getKey("service", "secret".toCharArray()).getEncoded());
    var tls = new HttpConfig.Tls(certificate, key, certificate);
    try (var server = start(config("127.0.0.1", null, tls))) {
      try (var client = new RawClient(server, socket(keys, keys.getCertificate("service")))) {
        assertThat(client.ask(request("GET", "/health")).status()).isEqualTo(200);
      }
      try (var client = new RawClient(server, trusting(keys.getCertificate("service")))) {
        assertThatThrownBy(() -> client.ask(request("GET", "/health")))
            .isInstanceOf(IOException.class);
      }
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
    return socket(null, certificate);
  }

  /// @param own with the client's certificate; null for none
  private static Socket socket(@Nullable KeyStore own, Certificate certificate) throws Exception {
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("service", certificate);
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    var context = SSLContext.getInstance("TLS");
    var shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    shown.init(own, "secret".toCharArray());
    context.init(own == null ? null : shown.getKeyManagers(), managers.getTrustManagers(), null);
    return context.getSocketFactory().createSocket();
  }
}

package io.tranche.serving.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.journal.EventRow;
import io.tranche.serving.predict.Prediction;
import io.tranche.serving.wire.AnswerJson;
import io.tranche.serving.wire.ClientFrames;
import io.tranche.serving.wire.EventForm;
import io.tranche.serving.wire.Frames;
import io.tranche.serving.wire.JsonForm;
import io.tranche.serving.wire.MalformedException;
import io.tranche.serving.wire.PredictJson;
import io.tranche.serving.wire.RequestJson;
import io.tranche.serving.wire.StrictJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A client of the decision service. Any number of threads may share one; it reuses connections.
///
/// Every request is idempotent: repeat it if there was no answer.
///
/// All methods throw [RefusedException] if the service refuses the request, and [IOException] if it
/// cannot be reached, answers too late, or is not a decision service.
public final class TrancheClient implements AutoCloseable {

  private static final String JSON = "application/json";

  private final HttpClient http;
  private final URI base;
  private final Duration timeout;
  private final @Nullable String token;

  /// @param base such as `http://127.0.0.1:8700`
  public TrancheClient(URI base) {
    this(
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build(),
        base,
        Duration.ofSeconds(10),
        null);
  }

  /// @param http for example one that trusts your own certificate
  /// @param timeout per request
  /// @param token null for none
  public TrancheClient(HttpClient http, URI base, Duration timeout, @Nullable String token) {
    this.http = http;
    this.base = base;
    this.timeout = timeout;
    this.token = token;
  }

  /// Returns a client of the same service that sends a token.
  public TrancheClient withToken(String shown) {
    return new TrancheClient(http, base, timeout, shown);
  }

  public Answer.Done endDays(Request.EndDays end) throws IOException, InterruptedException {
    return post("/v1/days/end", RequestJson.write(end), AnswerJson::done);
  }

  public Answer.DayOpen openDay(Request.OpenDay day) throws IOException, InterruptedException {
    return post("/v1/days", RequestJson.write(day), (_, _) -> new Answer.DayOpen(day.instrument()));
  }

  public Answer.BarTaken bar(Request.Bar bar) throws IOException, InterruptedException {
    return post("/v1/bars", RequestJson.write(bar), AnswerJson::barTaken);
  }

  /// Sends many bars. Returns one answer per bar, in the same order; each may be a refusal.
  public List<Answer> bars(List<Request.Bar> bars) throws IOException, InterruptedException {
    return post(
            "/v1/bars",
            JsonForm.write(new RequestJson.Bars(bars), RequestJson::bars),
            AnswerJson::answers)
        .answers();
  }

  public Answer.OrderState openOrder(Request.OpenOrder order)
      throws IOException, InterruptedException {
    return post("/v1/orders", RequestJson.write(order), AnswerJson::state);
  }

  public Answer.Child decide(Request.Decide decide) throws IOException, InterruptedException {
    return post(order(decide.id(), "/decide"), RequestJson.write(decide), AnswerJson::child);
  }

  public Answer.OrderState fill(Request.Fill fill) throws IOException, InterruptedException {
    return post(order(fill.id(), "/fills"), RequestJson.write(fill), AnswerJson::state);
  }

  public Answer.OrderState cancel(String id) throws IOException, InterruptedException {
    return post(order(id, "/cancel"), new byte[0], AnswerJson::state);
  }

  public Answer.OrderState amend(Request.Amend amend) throws IOException, InterruptedException {
    return post(order(amend.id(), "/amend"), RequestJson.write(amend), AnswerJson::state);
  }

  /// Reports what the market did with a child order.
  public Answer.OrderState report(Request.Report report) throws IOException, InterruptedException {
    return post(order(report.id(), "/children"), RequestJson.write(report), AnswerJson::state);
  }

  /// Returns an order with its child orders and fills.
  public Answer.Details details(String id) throws IOException, InterruptedException {
    return read(send(request(order(id, "/children")).GET()), AnswerJson::details);
  }

  /// Gives the price that closes of a day are compared with.
  public Answer.Done reference(Request.Reference reference)
      throws IOException, InterruptedException {
    return post("/v1/references", RequestJson.write(reference), AnswerJson::done);
  }

  /// Reports that the market has halted an instrument, or has resumed.
  public Answer.Done halt(Request.Halt halt) throws IOException, InterruptedException {
    return post("/v1/halts", RequestJson.write(halt), AnswerJson::done);
  }

  /// Keeps an account on.
  public Answer.Done heartbeat(Request.Heartbeat beat) throws IOException, InterruptedException {
    return post("/v1/heartbeats", RequestJson.write(beat), AnswerJson::done);
  }

  /// Returns the limits in force.
  public Answer.LimitsInForce limits() throws IOException, InterruptedException {
    return read(send(request("/v1/limits").GET()), AnswerJson::limits);
  }

  /// Returns the newest fills of orders that the service does not know.
  public Answer.UnmatchedFills unmatched() throws IOException, InterruptedException {
    return read(send(request("/v1/unmatched").GET()), AnswerJson::unmatched);
  }

  /// Corrects a fill that was booked; needs a token.
  public Answer.OrderState correct(Request.CorrectFill correction)
      throws IOException, InterruptedException {
    return post("/v1/admin/corrections/fills", RequestJson.write(correction), AnswerJson::state);
  }

  /// Corrects a bar that was taken; needs a token.
  public Answer.BarTaken correct(Request.CorrectBar correction)
      throws IOException, InterruptedException {
    return post("/v1/admin/corrections/bars", RequestJson.write(correction), AnswerJson::barTaken);
  }

  public Answer.OrderState order(String id) throws IOException, InterruptedException {
    return read(send(request(order(id, "")).GET()), AnswerJson::state);
  }

  /// Returns the states of orders, sorted by id.
  ///
  /// @param after the last id already received; null to start from the beginning
  public Answer.Orders orders(@Nullable String after) throws IOException, InterruptedException {
    String path = after == null ? "/v1/orders" : "/v1/orders/after/" + encoded(after);
    return read(send(request(path).GET()), AnswerJson::orders);
  }

  /// Returns the loaded models and what they need.
  public Answer.Models models() throws IOException, InterruptedException {
    return read(send(request("/v1/models").GET()), AnswerJson::models);
  }

  /// Returns what is switched off.
  public Answer.Switches switches() throws IOException, InterruptedException {
    return read(send(request("/v1/switches").GET()), AnswerJson::switches);
  }

  /// Sends an operator's request; needs a token.
  public Answer.Done administer(Request.Admin change) throws IOException, InterruptedException {
    String path =
        switch (change) {
          case Request.Switch _ -> "switches";
          case Request.Load _ -> "models/load";
          case Request.Unload _ -> "models/unload";
          case Request.SetRoute _ -> "route";
          case Request.SetLimits _ -> "limits";
          case Request.Correction _ ->
              throw new IllegalArgumentException("corrections have calls of their own");
        };
    return post("/v1/admin/" + path, RequestJson.write(change), AnswerJson::done);
  }

  /// Asks the service to finish its work and stop; needs a token.
  public Answer.Done drain() throws IOException, InterruptedException {
    return post("/v1/admin/drain", new byte[0], AnswerJson::done);
  }

  /// Sends bars, requests for decisions, and fills in the compact form. Returns one answer per
  /// request, in the same order; each may be a refusal.
  public List<Answer> exchange(List<Request> requests) throws IOException, InterruptedException {
    byte[] answer =
        send(
            request("/v1/frames")
                .header("Content-Type", Frames.TYPE)
                .POST(BodyPublishers.ofByteArray(ClientFrames.writeRequests(requests))));
    try {
      return ClientFrames.readAnswers(ByteBuffer.wrap(answer), requests);
    } catch (MalformedException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /// Follows the service's events, in the order in which they became durable. Returns when `reader`
  /// has enough, or when the service closes the stream; then ask for what came after the last one.
  ///
  /// @param after the sequence number of the last event that is known; null for from now on.
  ///   Numbers rise, with gaps
  /// @param reader returns whether it wants more
  /// @throws RefusedException with status 410 if older events than are kept are asked for
  public void events(@Nullable Long after, Predicate<EventRow> reader)
      throws IOException, InterruptedException {
    String path = after == null ? "/v1/events" : "/v1/events/after/" + after;
    HttpResponse<InputStream> response =
        http.send(request(path).GET().build(), BodyHandlers.ofInputStream());
    try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
      if (response.statusCode() != 200) {
        byte[] body = lines.readAllAsString().getBytes(UTF_8);
        throw new RefusedException(response.statusCode(), read(body, AnswerJson::refused));
      }
      String event = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          event = line.substring("event: ".length());
        } else if (line.startsWith("data: ") && !event.equals("position")) {
          if (event.equals("gone")) {
            throw new RefusedException(
                410, new Answer.Refused(Answer.Reason.UNKNOWN, "too slow to follow the events"));
          }
          byte[] data = line.substring("data: ".length()).getBytes(UTF_8);
          if (!reader.test(read(data, EventForm::row))) {
            return;
          }
        }
      }
    }
  }

  /// Asks what a model would do.
  ///
  /// @param model null for the model that new orders go to
  /// @param deadlineMicros null for the service's default
  public List<Prediction> predict(
      @Nullable String model,
      List<FullHistoryObservation> observations,
      @Nullable Long deadlineMicros)
      throws IOException, InterruptedException {
    return post(
            "/v1/predict",
            JsonForm.write(
                new PredictJson.Question(model, observations, deadlineMicros),
                PredictJson::question),
            PredictJson::answers)
        .predictions();
  }

  /// Whether the service accepts orders.
  public boolean isReady() throws InterruptedException {
    try {
      var _ = send(request("/ready").GET());
      return true;
    } catch (IOException | RefusedException _) {
      return false;
    }
  }

  private static String order(String id, String action) {
    return "/v1/orders/" + encoded(id) + action;
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private HttpRequest.Builder request(String path) {
    var builder = HttpRequest.newBuilder(base.resolve(path)).timeout(timeout);
    return token == null ? builder : builder.header("Authorization", "Bearer " + token);
  }

  private <T> T post(String path, byte[] body, JsonForm.Shape<T> shape)
      throws IOException, InterruptedException {
    var builder = request(path).POST(BodyPublishers.ofByteArray(body));
    return read(send(body.length == 0 ? builder : builder.header("Content-Type", JSON)), shape);
  }

  private byte[] send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = sendOnceMore(request.build());
    if (response.statusCode() != 200) {
      throw new RefusedException(response.statusCode(), read(response.body(), AnswerJson::refused));
    }
    return response.body();
  }

  /// Sends a request, and once more if a reused connection turns out to be closed or the JDK loses
  /// it while taking it from the pool (JDK-8357639). Every request is idempotent.
  private HttpResponse<byte[]> sendOnceMore(HttpRequest request)
      throws IOException, InterruptedException {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (HttpTimeoutException | ConnectException e) {
      throw e;
    } catch (IOException first) {
      try {
        return http.send(request, BodyHandlers.ofByteArray());
      } catch (IOException e) {
        e.addSuppressed(first);
        throw e;
      }
    }
  }

  private static <T> T read(byte[] body, JsonForm.Shape<T> shape) throws IOException {
    try {
      return JsonForm.read(StrictJson.read(body), shape);
    } catch (MalformedException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}

package io.tranche.serving.app;

import io.tranche.policy.weights.CheckpointException;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.engine.Engine;
import io.tranche.serving.http.HttpServer;
import io.tranche.serving.http.ServiceLog;
import io.tranche.serving.http.ServiceLog.Level;
import io.tranche.serving.predict.Predictions;
import io.tranche.serving.wire.StrictJson;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A decision service with its HTTP server.
public final class DecisionServer implements AutoCloseable {

  private final Engine engine;
  private final Predictions predictions;
  private final HttpServer http;
  private final @Nullable HttpServer kill;

  private DecisionServer(
      Engine engine, Predictions predictions, HttpServer http, @Nullable HttpServer kill) {
    this.kill = kill;
    this.engine = engine;
    this.predictions = predictions;
    this.http = http;
  }

  /// Opens the journal, loads the models, and starts to listen.
  ///
  /// @param log receives lines of JSON; called by any thread
  /// @throws io.tranche.config.ConfigException if it cannot listen
  /// @throws CheckpointException if a model cannot be loaded
  /// @throws io.tranche.market.DataException if the journal is damaged or in use
  public static DecisionServer start(DecisionServerConfig config, Consumer<String> log) {
    var lines = new ServiceLog(config.level(), log);
    Engine engine = Engine.open(config.engine(), notice -> tell(lines, notice));
    Predictions predictions = null;
    HttpServer kill = null;
    try {
      load(engine, config, lines);
      predictions = new Predictions(name -> find(engine, name), config.predict());
      var backend =
          new HttpServer.Backend(
              engine,
              predictions,
              () -> engine.unready() == null,
              text -> EngineMetrics.write(engine, text),
              engine.feed());
      kill = HttpServer.startKillPort(config.http(), backend, lines);
      HttpServer http = HttpServer.start(config.http(), backend, lines);
      lines.tell(Level.INFO, "listening", "url", http.url());
      if (kill != null) {
        lines.tell(Level.INFO, "kill_port", "url", kill.url());
      }
      return new DecisionServer(engine, predictions, http, kill);
    } catch (RuntimeException e) {
      if (kill != null) {
        kill.close();
      }
      if (predictions != null) {
        predictions.close();
      }
      engine.close();
      throw e;
    }
  }

  private static void tell(ServiceLog log, Observer.Notice notice) {
    Level level =
        switch (notice.kind()) {
          case FAULT -> Level.ERROR;
          case MODEL_FAILED,
              DAYS_MISSING,
              ROLLED_BACK,
              DRIFT,
              TAIL_CUT,
              OVERFILL,
              UNMATCHED_FILL,
              HEARTBEAT_MISSED,
              JOURNAL ->
              Level.WARN;
          case RECOVERED,
              MODEL_LOADED,
              MODEL_UNLOADED,
              ROUTED,
              SWITCHED,
              RISK,
              DRIFT_ENDED,
              LIMITS_SET,
              CORRECTED ->
              Level.INFO;
          case SHADOW_DIFFERED, DAY_ENDED -> Level.DEBUG;
        };
    log.tell(
        level,
        StrictJson.nameOf(notice.kind()),
        "subject",
        notice.subject(),
        "message",
        notice.message());
  }

  private static void load(Engine engine, DecisionServerConfig config, ServiceLog lines) {
    for (String model : config.models()) {
      if (!engine.models().contains(model)) {
        Answer answer = engine.ask(new Request.Load(model)).join();
        if (answer instanceof Answer.Refused(var reason, var message)
            && reason == Answer.Reason.CONFLICT) {
          // Its open orders go on with TWAP; the service is not ready until it has the right file.
          lines.tell(Level.WARN, "not_loaded", "subject", model, "message", message);
        } else {
          require(answer);
        }
      }
    }
    if (engine.route() == null) {
      require(engine.ask(new Request.SetRoute(Route.to(config.models().getFirst()))).join());
    }
  }

  private static void require(Answer answer) {
    if (answer instanceof Answer.Refused(_, var message)) {
      throw new CheckpointException("BUNDLE", "a model that can be served", message);
    }
  }

  private static @Nullable LoadedModel find(Engine engine, @Nullable String name) {
    if (name != null) {
      return engine.model(name);
    }
    Route route = engine.route();
    return route == null ? null : engine.model(route.model());
  }

  public HttpServer http() {
    return http;
  }

  public Engine engine() {
    return engine;
  }

  /// Returns the server of the kill port, or null.
  public @Nullable HttpServer killPort() {
    return kill;
  }

  /// Stops: refuses new requests, finishes those under way, and makes everything durable.
  @Override
  public void close() {
    http.close();
    if (kill != null) {
      kill.close(); // it works until nothing else does
    }
    predictions.close();
    engine.close();
  }
}

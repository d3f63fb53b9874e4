package io.tranche.serving.http;

import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.predict.Prediction;
import io.tranche.serving.predict.Predictions;
import io.tranche.serving.wire.JsonForm;
import io.tranche.serving.wire.PredictJson;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Answers requests for predictions.
final class PredictWork implements Endpoint.Work {

  private final @Nullable Predictions predictions;

  PredictWork(@Nullable Predictions predictions) {
    this.predictions = predictions;
  }

  @Override
  public void begin(HttpExchange exchange) {
    var question = exchange.json(PredictJson::question);
    LoadedModel model = predictions == null ? null : predictions.model(question.model());
    if (predictions == null || model == null) {
      exchange.answer(new Answer.Refused(Answer.Reason.UNKNOWN, "there is no such model"));
      return;
    }
    Long asked = question.deadlineMicros();
    long micros = asked == null ? predictions.config().deadlineMicros() : asked;
    Prediction[] rows = new Prediction[question.observations().size()];
    var left = new AtomicInteger(rows.length);
    for (int i = 0; i < rows.length; i++) {
      var reply = reply(exchange, model.fingerprint(), rows, left, i);
      predictions.predict(model, question.observations().get(i), micros, reply);
    }
    if (!exchange.isAnswered()) {
      exchange.rejectAfter(micros, Rejection.LATE);
    }
  }

  /// Returns the receiver of one prediction of a request. Predictions arrive one by one from any
  /// thread; the last one answers the request.
  private static Predictions.Reply reply(
      HttpExchange exchange, String fingerprint, Prediction[] rows, AtomicInteger left, int row) {
    return new Predictions.Reply() {
      @Override
      public void predicted(Prediction prediction) {
        rows[row] = prediction;
        if (left.decrementAndGet() == 0) {
          var answers = new PredictJson.Answers(fingerprint, Arrays.asList(rows));
          exchange.respond(HttpExchange.JSON, JsonForm.write(answers, PredictJson::answers));
        }
      }

      @Override
      public void refused(Answer.Refused why) {
        exchange.answer(why);
      }

      @Override
      public void late() {
        exchange.reject(Rejection.LATE);
      }
    };
  }

  void writeTo(PrometheusText text) {
    if (predictions == null) {
      return;
    }
    var counts = predictions.counts();
    text.counter(
        "tranche_predict_cache_hits_total", "Predictions answered from the cache.", counts.hits);
    text.counter(
        "tranche_predict_cache_misses_total", "Predictions not in the cache.", counts.misses);
    text.counter("tranche_predict_batches_total", "Evaluated batches.", counts.batches);
    text.counter("tranche_predict_rows_total", "Observations evaluated.", counts.rows);
    text.counter(
        "tranche_predict_late_total", "Predictions that missed their deadline.", counts.late);
    text.counter(
        "tranche_predict_refused_total",
        "Predictions refused: too many, or of the wrong shape.",
        counts.refused);
    text.gauge("tranche_predict_queued", "Observations waiting.", predictions.queued());
    text.gauge("tranche_predict_cached", "Answers in the cache.", predictions.cached());
  }
}

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
    var collected = new Collected(exchange, model.fingerprint(), question.observations().size());
    for (int i = 0; i < question.observations().size(); i++) {
      predictions.predict(model, question.observations().get(i), micros, collected.row(i));
    }
    if (!exchange.isAnswered()) {
      exchange.rejectAfter(micros, Rejection.LATE);
    }
  }

  /// Collects the predictions of one request, which arrive one by one from any thread.
  private static final class Collected {
    private final HttpExchange exchange;
    private final String fingerprint;
    private final Prediction[] rows;
    private final AtomicInteger left;

    Collected(HttpExchange exchange, String fingerprint, int count) {
      this.exchange = exchange;
      this.fingerprint = fingerprint;
      this.rows = new Prediction[count];
      this.left = new AtomicInteger(count);
    }

    Predictions.Reply row(int index) {
      return new Predictions.Reply() {
        @Override
        public void predicted(Prediction prediction) {
          rows[index] = prediction;
          if (left.decrementAndGet() == 0) {
            exchange.respond(
                HttpExchange.JSON,
                JsonForm.write(
                    new PredictJson.Answers(fingerprint, Arrays.asList(rows)),
                    PredictJson::answers));
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

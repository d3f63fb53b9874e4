package io.tranche.serving.wire;

import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.serving.Answer;
import org.jspecify.annotations.Nullable;

/// What models need from their clients, as JSON.
public final class ModelJson {

  private static final String QLIB = "qlib";
  private static final int MOST = 10_000;
  private static final int DAY = 86_400;

  private ModelJson() {}

  public static Answer.Models models(JsonForm form, Answer.@Nullable Models of) {
    return new Answer.Models(
        form.list("models", MOST, of, Answer.Models::models, ModelJson::model));
  }

  private static Answer.Model model(JsonForm form, Answer.@Nullable Model of) {
    String name = form.name("model", of, Answer.Model::name);
    String dialect = form.text("dialect", of, model -> model.isQlib() ? QLIB : "native");
    Frequency frequency = frequency(form, of);
    return new Answer.Model(
        name,
        form.object("session", of, Answer.Model::session, ModelJson::session),
        frequency,
        form.names("fields", MOST, of, Answer.Model::fields),
        (int) form.whole("earlier_days", 0, DAY, of, Answer.Model::earlierDays),
        (int) form.whole("ticks_per_step", 1, DAY, of, Answer.Model::ticksPerStep),
        (int) form.whole("max_steps", 1, DAY, of, Answer.Model::maxSteps),
        dialect.equals(QLIB));
  }

  private static Session session(JsonForm form, @Nullable Session of) {
    try {
      return new Session(
          form.text("name", of, Session::name),
          form.list("segments", MOST, of, Session::segments, ModelJson::segment));
    } catch (IllegalArgumentException _) {
      throw form.wrong("segments", "segments in order, in seconds from midnight");
    }
  }

  private static Session.Segment segment(JsonForm form, Session.@Nullable Segment of) {
    return new Session.Segment(
        (int) form.whole("open", -DAY, DAY, of, Session.Segment::open),
        (int) form.whole("close", -DAY, DAY, of, Session.Segment::close));
  }

  private static Frequency frequency(JsonForm form, Answer.@Nullable Model of) {
    try {
      return Frequency.parse(form.text("frequency", of, model -> model.frequency().toString()));
    } catch (IllegalArgumentException | ArithmeticException _) {
      throw form.wrong("frequency", "a width such as 1min");
    }
  }
}

package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.runtime.LiveModel;
import io.tranche.market.BarTime;
import io.tranche.market.Side;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.serving.Request;
import io.tranche.serving.wire.Frames;
import io.tranche.serving.wire.RequestJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The requests of a desk, day after day: each instrument opens ten orders, then has in every half
/// hour ten decisions, thirty bars, and a fill of each child order. Every request changes
/// something, so every one must become durable.
///
/// Instruments take turns, request by request, each at another place of its day, so that the mix is
/// the same at all times. The [#prelude] brings them there. All see the same bars, and the runtime
/// in this process tells what the model must decide.
final class DeskScript implements Requests {

  /// How requests are written.
  enum Form {
    JSON,
    /// Bars, decisions and fills in the compact form, orders in JSON.
    COMPACT
  }

  private static final int ORDERS = 10;
  private static final int TICKS_PER_FILL = LiveModel.TICKS_PER_STEP / ORDERS;

  /// Fills are so small that they fit into every decision, including TWAP's.
  private static final double FILL = 10;

  /// Where the instrument's number goes.
  private static final String HOLE = "xxxxx";

  /// One request of a day.
  private static final class Step {
    final byte[] request;
    final int[] holes;

    /// What must be decided; NaN if this is no decision.
    final double volume;

    /// How its answer begins in the compact form; 0 in JSON.
    final int kind;

    Step(byte[] request, double volume, int kind) {
      this.request = request;
      this.volume = volume;
      this.kind = kind;
      this.holes = holes(request);
    }

    private static int[] holes(byte[] request) {
      String text = new String(request, StandardCharsets.ISO_8859_1);
      var found = new ArrayList<Integer>();
      for (int at = text.indexOf(HOLE); at >= 0; at = text.indexOf(HOLE, at + 1)) {
        found.add(at);
      }
      return found.stream().mapToInt(each -> each).toArray();
    }
  }

  private final ServedBundle model;
  private final Form form;
  private final int instruments;
  private final int firstDay;
  private final double[][] decided;
  private final Map<Integer, List<Step>> days = new HashMap<>();
  private final int stepsPerDay;
  private final Prelude prelude;

  /// @param instruments how many are at work at the same time
  /// @param firstDay the number of the first day, which no other script has used
  DeskScript(ServedBundle model, Form form, int instruments, int firstDay) {
    this.model = model;
    this.form = form;
    this.instruments = instruments;
    this.firstDay = firstDay;
    this.decided = decided(model);
    this.stepsPerDay = day(0).size();
    this.prelude = new Prelude();
  }

  /// Returns the runtime's decision for each order at each step.
  private static double[][] decided(ServedBundle model) {
    double[][] volumes = new double[ORDERS][LiveModel.STEPS];
    var runtime = new DecisionRuntime(model.loaded);
    var day = LiveModel.open(runtime, "A", List.of(), ORDERS);
    for (int tick = 0; tick < LiveModel.TICKS; tick++) {
      int step = tick / LiveModel.TICKS_PER_STEP;
      if (tick % LiveModel.TICKS_PER_STEP == 0) {
        for (int i = 0; i < ORDERS; i++) {
          volumes[i][step] = runtime.orders().get(i).decide();
        }
      }
      day.bar(day.time(tick), model.bars[tick]);
      int order = fillAfter(tick);
      if (order >= 0 && volumes[order][step] > 0) {
        runtime.orders().get(order).fill(FILL, 10);
      }
    }
    day.close();
    return volumes;
  }

  /// Returns the order that has a fill after the bar of a tick, or -1.
  private static int fillAfter(int tick) {
    int at = tick % LiveModel.TICKS_PER_STEP;
    return at % TICKS_PER_FILL == TICKS_PER_FILL - 1 ? at / TICKS_PER_FILL : -1;
  }

  private List<Step> day(int number) {
    return days.computeIfAbsent(number, this::makeDay);
  }

  private List<Step> makeDay(int number) {
    LocalDate date = LiveModel.DATE.plusDays(firstDay + number);
    var runtime = new DecisionRuntime(model.loaded);
    var times = runtime.openDay("A", date, List.of());
    List<String> fields = model.fields;
    String instrument = "I" + HOLE;
    var steps = new ArrayList<Step>();
    for (int i = 0; i < ORDERS; i++) {
      Side side = i % 2 == 0 ? Side.BUY : Side.SELL;
      var start = date.atTime(LiveModel.START.toLocalTime());
      var end = date.atTime(LiveModel.END.toLocalTime());
      var open =
          new Request.OpenOrder(
              id(number, i), instrument, date, side, LiveModel.amount(i), start, end, null);
      steps.add(json("/v1/orders", open, Double.NaN));
    }
    for (int tick = 0; tick < LiveModel.TICKS; tick++) {
      int step = tick / LiveModel.TICKS_PER_STEP;
      if (tick % LiveModel.TICKS_PER_STEP == 0) {
        for (int i = 0; i < ORDERS; i++) {
          var decide = new Request.Decide(id(number, i), step, null);
          steps.add(step("/v1/orders/" + decide.id() + "/decide", decide, decided[i][step], 2));
        }
      }
      var values = new ArrayList<Float>();
      for (float value : model.bars[tick]) {
        values.add(value);
      }
      var time = BarTime.dateTime(times.time(tick));
      var bar = new Request.Bar(instrument, date, time, fields, values);
      steps.add(step("/v1/bars", bar, Double.NaN, 1));
      int order = fillAfter(tick);
      if (order >= 0 && decided[order][step] > 0) {
        var fill = new Request.Fill(id(number, order), "f" + step, FILL, 10);
        steps.add(step("/v1/orders/" + fill.id() + "/fills", fill, Double.NaN, 3));
      }
    }
    return steps;
  }

  private String id(int day, int order) {
    return "I%s-%d-%d".formatted(HOLE, firstDay + day, order);
  }

  private Step step(String path, Request request, double volume, int kind) {
    if (form == Form.JSON) {
      return json(path, request, volume);
    }
    byte[] frames = Frames.writeRequests(List.of(request));
    return new Step(HttpBytes.post("/v1/frames", Frames.TYPE, frames), volume, kind);
  }

  private static Step json(String path, Request request, double volume) {
    byte[] body = RequestJson.write(request);
    return new Step(HttpBytes.post(path, "application/json", body), volume, 0);
  }

  @Override
  public int preludeSize() {
    return prelude.size();
  }

  @Override
  public Requests prelude() {
    return prelude;
  }

  @Override
  public DeskScript afresh() {
    return new DeskScript(model, form, instruments, firstDay + days.size());
  }

  private int behind(int instrument) {
    return (int) ((long) instrument * stepsPerDay / instruments);
  }

  /// Returns how many of the requests ask for a decision.
  double decisionShare() {
    return (double) (ORDERS * LiveModel.STEPS) / stepsPerDay;
  }

  @Override
  public int lane(long number) {
    return (int) (number % instruments);
  }

  @Override
  public void write(long number, ByteBuffer to) {
    write(lane(number), stepOf(number), to);
  }

  @Override
  public Verdict judge(long number, int status, ByteBuffer body) {
    return judge(stepOf(number), status, body);
  }

  private Step stepOf(long number) {
    int instrument = lane(number);
    long at = number / instruments + behind(instrument);
    return day((int) (at / stepsPerDay)).get((int) (at % stepsPerDay));
  }

  private static void write(int instrument, Step step, ByteBuffer to) {
    int start = to.position();
    to.put(step.request);
    for (int hole : step.holes) {
      int rest = instrument;
      for (int i = HOLE.length() - 1; i >= 0; i--) {
        to.put(start + hole + i, (byte) ('0' + rest % 10));
        rest /= 10;
      }
    }
  }

  private static Verdict judge(Step step, int status, ByteBuffer body) {
    if (status != 200) {
      return Verdict.WRONG;
    }
    if (step.kind == 0) {
      return Double.isNaN(step.volume) ? Verdict.RIGHT : judgeJson(step, body);
    }
    int at = body.position();
    if (body.get(at) != step.kind) {
      return Verdict.WRONG;
    }
    return switch (step.kind) {
      case 1 -> body.get(at + 1) == 0 ? Verdict.RIGHT : Verdict.WRONG;
      case 2 -> judge(step, body.getDouble(at + 5), body.get(at + 21) == 0);
      default -> Verdict.RIGHT;
    };
  }

  private static Verdict judgeJson(Step step, ByteBuffer body) {
    String text = StandardCharsets.ISO_8859_1.decode(body).toString();
    int from = text.indexOf("\"volume\":") + "\"volume\":".length();
    int to = text.indexOf(',', from);
    return judge(
        step, Double.parseDouble(text.substring(from, to)), text.contains("\"source\":\"model\""));
  }

  private static Verdict judge(Step step, double volume, boolean isModels) {
    if (!isModels) {
      return Verdict.FALLBACK;
    }
    return volume == step.volume ? Verdict.RIGHT : Verdict.WRONG;
  }

  /// The earlier requests, for each instrument up to its place in the day.
  private final class Prelude implements Requests {
    private final int[] askers;
    private final int[] places;

    private Prelude() {
      var by = new ArrayList<Integer>();
      var at = new ArrayList<Integer>();
      for (int place = 0; place < stepsPerDay; place++) {
        for (int instrument = 0; instrument < instruments; instrument++) {
          if (place < behind(instrument)) {
            by.add(instrument);
            at.add(place);
          }
        }
      }
      askers = by.stream().mapToInt(each -> each).toArray();
      places = at.stream().mapToInt(each -> each).toArray();
    }

    int size() {
      return askers.length;
    }

    @Override
    public int lane(long number) {
      return askers[(int) number];
    }

    @Override
    public void write(long number, ByteBuffer to) {
      DeskScript.write(lane(number), step(number), to);
    }

    @Override
    public Verdict judge(long number, int status, ByteBuffer body) {
      return DeskScript.judge(step(number), status, body);
    }

    private Step step(long number) {
      return day(0).get(places[(int) number]);
    }
  }
}

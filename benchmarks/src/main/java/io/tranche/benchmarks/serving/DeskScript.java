package io.tranche.benchmarks.serving;

import io.tranche.serving.Request;
import io.tranche.serving.wire.ClientFrames;
import io.tranche.serving.wire.Frames;
import io.tranche.serving.wire.RequestJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The requests of a desk as bytes, one [DeskDay] after another.
///
/// Instruments take turns, request by request, each at another place of its day, so that the mix is
/// the same at all times. The [#prelude] brings them there.
final class DeskScript implements Requests {

  /// How requests are written.
  enum Form {
    JSON,
    /// Bars, decisions and fills in the compact form, orders in JSON.
    COMPACT
  }

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

    /// The number of the order that it decides or fills; -1 if it does neither.
    final int order;

    Step(byte[] request, double volume, int kind, int order) {
      this.request = request;
      this.volume = volume;
      this.kind = kind;
      this.order = order;
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

  private final DeskDay desk;
  private final Form form;
  private final int instruments;
  private final int firstDay;
  private final Map<Integer, List<Step>> days = new HashMap<>();
  private final int stepsPerDay;
  private final Prelude prelude;

  private final Map<Integer, List<DeskDay.Asked>> asked = new HashMap<>();

  /// @param instruments how many are at work at the same time
  /// @param firstDay the number of the first day, which no other script has used
  DeskScript(DeskDay desk, Form form, int instruments, int firstDay) {
    this.desk = desk;
    this.form = form;
    this.instruments = instruments;
    this.firstDay = firstDay;
    this.stepsPerDay = day(0).size();
    this.prelude = new Prelude();
  }

  private List<Step> day(int number) {
    return days.computeIfAbsent(number, this::makeDay);
  }

  private List<Step> makeDay(int number) {
    return asked(number).stream().map(this::step).toList();
  }

  private Step step(DeskDay.Asked asked) {
    Request request = asked.request();
    return switch (request) {
      case Request.Reference _ -> json("/v1/references", request, asked.volume());
      case Request.OpenOrder _ -> json("/v1/orders", request, asked.volume());
      case Request.Bar _ -> step("/v1/bars", request, asked.volume(), 1);
      case Request.Decide(var id, _, _) ->
          step("/v1/orders/" + id + "/decide", request, asked.volume(), 2);
      case Request.Fill fill ->
          step("/v1/orders/" + fill.id() + "/fills", request, asked.volume(), 3);
      default -> throw new IllegalArgumentException("no desk sends " + request);
    };
  }

  private Step step(String path, Request request, double volume, int kind) {
    if (form == Form.JSON) {
      return json(path, request, volume);
    }
    byte[] frames = ClientFrames.writeRequests(List.of(request));
    int order =
        switch (request) {
          case Request.Decide decide -> DeskDay.orderOf(decide.id());
          case Request.Fill fill -> DeskDay.orderOf(fill.id());
          default -> -1;
        };
    return new Step(HttpBytes.post("/v1/frames", Frames.TYPE, frames), volume, kind, order);
  }

  private static Step json(String path, Request request, double volume) {
    byte[] body = RequestJson.write(request);
    return new Step(HttpBytes.post(path, "application/json", body), volume, 0, -1);
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
    return new DeskScript(desk, form, instruments, firstDay + days.size());
  }

  private int behind(int instrument) {
    return (int) ((long) instrument * stepsPerDay / instruments);
  }

  /// Returns how many of the requests ask for a decision.
  double decisionShare() {
    return (double) (DeskDay.ORDERS * desk.steps()) / stepsPerDay;
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

  /// Returns the place of a request in all that is asked about its instrument, from the prelude on.
  int place(long number) {
    return Math.toIntExact(number / instruments + behind(lane(number)));
  }

  /// Returns the same of a request of the prelude.
  int preludePlace(long number) {
    return prelude.places[(int) number];
  }

  /// @param inDay the place within a day
  int place(int day, int inDay) {
    return (day - firstDay) * stepsPerDay + inDay;
  }

  int dayStart(int place) {
    return place - place % stepsPerDay;
  }

  /// Returns the request at a place.
  Request request(int instrument, int place) {
    Request any = asked(place / stepsPerDay).get(place % stepsPerDay).request();
    return DeskDay.about("I%05d".formatted(instrument), any);
  }

  /// Returns the requests of the first day, about some instrument.
  List<Request> firstDay() {
    return asked(0).stream().map(DeskDay.Asked::request).toList();
  }

  private List<DeskDay.Asked> asked(int day) {
    return asked.computeIfAbsent(day, each -> desk.requests("I" + HOLE, firstDay + each));
  }

  boolean isDecisionAt(int place) {
    return stepAt(place).kind == 2;
  }

  /// Returns which order of its instrument a request of the compact form decides or fills; -1 if it
  /// does neither.
  int orderAt(int place) {
    return stepAt(place).order;
  }

  private Step stepAt(int place) {
    return day(place / stepsPerDay).get(place % stepsPerDay);
  }

  private Step stepOf(long number) {
    return stepAt(place(number));
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

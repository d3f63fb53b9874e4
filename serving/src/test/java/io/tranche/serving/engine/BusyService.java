package io.tranche.serving.engine;

import io.tranche.serving.Answer;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A process that sends itself requests as fast as it can, and prints what is acknowledged.
final class BusyService {

  private static final int INSTRUMENTS = 4;

  private final Engine engine;
  private final int life;

  private BusyService(Engine engine, int life) {
    this.engine = engine;
    this.life = life;
  }

  /// @param args the folder, and the number of restarts so far
  public static void main(String[] args) {
    int life = Integer.parseInt(args[1]);
    var engine = Engine.open(TestService.config(Path.of(args[0])), Observer.NONE);
    var service = new BusyService(engine, life);
    for (int i = 0; i < INSTRUMENTS; i++) {
      int number = i;
      Thread.ofPlatform().start(() -> service.work(number));
    }
  }

  private void work(int number) {
    String instrument = "I" + number;
    for (int round = 0; ; round++) {
      String id = "%s-%d-%d".formatted(instrument, life, round);
      var opened = ask(TestService.order(id, instrument, 1_000));
      if (opened instanceof Answer.OrderState) {
        print("opened " + id);
        // The market stands still after a while: orders that come late have a step or two.
        int tick = Math.min(200, 5 * life + round / 10);
        ask(TestService.bar(instrument, tick));
        if (ask(new Request.Decide(id, null, 200_000L)) instanceof Answer.Child child) {
          print("child %s %d %s".formatted(id, child.step(), child.volume()));
          double volume = child.volume() / 4;
          if (volume > 0
              && ask(new Request.Fill(id, "f", volume, 10)) instanceof Answer.OrderState) {
            print("filled %s %s".formatted(id, volume));
          }
        }
      }
    }
  }

  private Answer ask(Request request) {
    return engine.ask(request).join();
  }

  private static void print(String line) {
    byte[] bytes = (line + ";\n").getBytes(StandardCharsets.UTF_8);
    System.out.write(bytes, 0, bytes.length);
    System.out.flush();
  }
}

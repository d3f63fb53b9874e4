package mine;

import io.tranche.env.ActionInterpreter;
import io.tranche.env.Numbers;
import io.tranche.env.Problem;
import io.tranche.env.Simulator;
import io.tranche.env.StateInterpreter;
import io.tranche.work.start.Tranche;
import java.util.List;
import java.util.Map;

/// Learns to walk home: each step goes left or right, home is at 0, and there are six steps.
public final class Main {

  private Main() {}

  record Walk(int place, int steps) {

    Walk go(int way) {
      return new Walk(place + way, steps + 1);
    }

    boolean isOver() {
      return place == 0 || steps == 6;
    }
  }

  static Problem<Integer, Walk, Integer, Numbers> problem() {
    return Problem.of(
        (start, _) -> Simulator.of(new Walk(start, 0), Walk::go, Walk::isOver),
        StateInterpreter.numbers(2, walk -> new double[] {walk.place, walk.steps}),
        ActionInterpreter.choices(2, (_, choice) -> 2 * choice - 1),
        (walk, _) -> walk.place == 0 ? 1 : 0);
  }

  public static void main(String[] arguments) {
    List<Integer> starts = List.of(-3, -2, -1, 1, 2, 3);
    Map<String, Double> means =
        Tranche.problem(problem(), starts).withIterations(20).train().test(starts);
    System.out.println("reward " + means.get("reward"));
  }
}

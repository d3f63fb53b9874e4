package io.tranche.policy.experience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.space.Action;
import io.tranche.env.vector.Transition;
import io.tranche.policy.toy.Lots;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplayBufferTest {

  private static final Lots.View VIEW = new Lots.View(0, 0, 0);

  private final Transitions<Lots.View> steps = new Transitions<>();

  @Test
  void givesEnvironmentAfterEnvironmentTheOldestFirst() {
    var buffer = new ReplayBuffer<Lots.View>(8, 2);
    add(buffer, 1, 10, 0, false);
    add(buffer, 0, 20, 0, false);
    add(buffer, 1, 10, 1, true);
    add(buffer, 0, 20, 1, false);

    buffer.copyTo(steps);

    assertThat(rows()).containsExactly("20:0", "20:1", "10:0", "10:1");
    // The episode of the first environment is still under way: the second does not follow it.
    assertThat(steps.isEnd(1)).isTrue();
    assertThat(steps.isTerminated(1)).isFalse();
    assertThat(steps.isEnd(0)).isFalse();
    assertThat(steps.isTerminated(3)).isTrue();
  }

  @Test
  void anEpisodeLeftHalfwayDoesNotLeadIntoTheNext() {
    var buffer = new ReplayBuffer<Lots.View>(4, 1);
    add(buffer, 0, 1, 0, false);
    add(buffer, 0, 2, 0, false);
    add(buffer, 0, 2, 1, true);

    buffer.copyTo(steps);

    assertThat(steps.isEnd(0)).isTrue();
    assertThat(steps.isTerminated(0)).isFalse();
    assertThat(steps.isEnd(1)).isFalse();
  }

  @Test
  void theOldestStepGivesWay() {
    var buffer = new ReplayBuffer<Lots.View>(5, 2);
    for (int i = 0; i < 7; i++) {
      add(buffer, 0, 1, i, false);
    }
    add(buffer, 1, 2, 0, false);

    buffer.copyTo(steps);

    assertThat(buffer.size()).isEqualTo(4);
    assertThat(rows()).containsExactly("1:4", "1:5", "1:6", "2:0");
  }

  @Test
  void forgetsAnAbandonedEpisodeAndNoOther() {
    var buffer = new ReplayBuffer<Lots.View>(4, 1);
    add(buffer, 0, 1, 0, true);
    add(buffer, 0, 2, 0, false);
    add(buffer, 0, 2, 1, false);

    buffer.abandoned(0, 2);
    buffer.copyTo(steps);

    assertThat(rows()).containsExactly("1:0");
  }

  @Test
  void holdsWhatAListWouldHold() {
    Cases.forAll(
        Cases.count(200, 5_000),
        random -> {
          int capacity = random.nextInt(1, 6);
          var buffer = new ReplayBuffer<Lots.View>(capacity, 1);
          var list = new ArrayList<String>();
          long episode = 0;
          int step = 0;
          int moves = random.nextInt(1, 40);
          for (int i = 0; i < moves; i++) {
            long now = episode;
            switch (random.nextInt(12)) {
              case 0 -> {
                buffer.abandoned(0, now);
                list.removeIf(each -> each.startsWith(now + ":"));
                episode++;
                step = 0;
              }
              case 1 -> {
                buffer.clear();
                list.clear();
              }
              default -> {
                boolean done = random.nextInt(3) == 0;
                add(buffer, 0, now, step, done);
                list.add(now + ":" + step);
                if (list.size() > capacity) {
                  list.removeFirst();
                }
                episode += done ? 1 : 0;
                step = done ? 0 : step + 1;
              }
            }
          }

          buffer.copyTo(steps);

          assertThat(rows()).isEqualTo(list);
          assertThat(buffer.size()).isEqualTo(list.size());
        });
  }

  @Test
  void keepsActionsOfEveryKind() {
    var buffer = new ReplayBuffer<Lots.View>(4, 1);
    List<Action> actions =
        List.of(
            new Action.Discrete(2),
            new Action.Continuous(0.5),
            new Action.Vector(List.of(0.25, -1.0)));
    for (int i = 0; i < actions.size(); i++) {
      buffer.step(new Transition<>(0, i, 0, VIEW, actions.get(i), 0, true, VIEW, 0));
    }

    buffer.copyTo(steps);

    assertThat(List.of(steps.action(0), steps.action(1), steps.action(2))).isEqualTo(actions);
    assertThat(steps.choice(0)).isEqualTo(2);
  }

  private static void add(
      ReplayBuffer<Lots.View> buffer, int env, long episode, int step, boolean done) {
    buffer.step(
        new Transition<>(env, episode, step, VIEW, new Action.Discrete(0), 0, done, VIEW, 0));
  }

  private List<String> rows() {
    return IntStream.range(0, steps.size())
        .mapToObj(row -> steps.episode(row) + ":" + steps.step(row))
        .toList();
  }
}

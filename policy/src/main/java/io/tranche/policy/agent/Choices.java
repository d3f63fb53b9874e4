package io.tranche.policy.agent;

import io.tranche.env.space.Action;

/// The actions of one batch, each distinct action created once.
final class Choices {

  private final Action[] menu;
  private Action[] chosen = new Action[0];

  Choices(int width) {
    menu = new Action[width];
    for (int i = 0; i < width; i++) {
      menu[i] = new Action.Discrete(i);
    }
  }

  int width() {
    return menu.length;
  }

  void begin(int count) {
    if (chosen.length != count) {
      chosen = new Action[count];
    }
  }

  void set(int index, int choice) {
    chosen[index] = menu[choice];
  }

  /// Returns the array itself, valid until the next [#begin].
  Action[] actions() {
    return chosen;
  }
}

package io.tranche.market.feature.pipeline;

import java.util.List;
import java.util.SplittableRandom;

/// Seeded expressions of all kinds over the fields of [Bars].
final class RandomExpressions {

  private final SplittableRandom random;
  private final int dayLength;

  private RandomExpressions(SplittableRandom random, int dayLength) {
    this.random = random;
    this.dayLength = dayLength;
  }

  static String next(SplittableRandom random, int dayLength) {
    var expressions = new RandomExpressions(random, dayLength);
    String number = expressions.number(random.nextInt(1, 5));
    return random.nextInt(3) > 0
        ? number
        : "Cut(%s, %d, None)".formatted(number, random.nextInt(1, 3 * dayLength + 1));
  }

  private String number(int depth) {
    if (depth == 0) {
      return one("$close", "$volume", "$open", "Ref($close, %d)".formatted(dayLength));
    }
    String operand = number(depth - 1);
    return switch (random.nextInt(14)) {
      case 0, 1 -> "FFillNan(%s)".formatted(operand);
      case 2, 3 -> "If(%s, %s, %s)".formatted(condition(depth - 1), operand, other(depth));
      case 4 -> "(%s%s%s)".formatted(operand, one("+", "-", "*", "/"), other(depth));
      case 5 -> "%s(%s, %s)".formatted(one("Greater", "Less"), operand, other(depth));
      case 6 -> "%s(%s)".formatted(one("Abs", "Log", "Sign"), operand);
      case 7, 8 -> "Ref(%s, %d)".formatted(operand, bars());
      case 9 -> "DayLast(Ref(%s, %d))".formatted(operand, random.nextInt(2) * dayLength + 1);
      case 10 -> "Ref(DayLast(%s), %d)".formatted(operand, random.nextInt(1, 3) * dayLength);
      case 11 -> "%s(%s, %d)".formatted(one("Mean", "Sum", "Max"), operand, random.nextInt(2, 6));
      case 12 -> "Delta(%s, %d)".formatted(operand, bars());
      default ->
          random.nextInt(3) > 0
              ? operand
              : one("BFillNan(%s)", "DayLast(%s)", "Cut(%s, 1, None)", "Cut(%s, None, -1)")
                  .formatted(operand);
    };
  }

  private String other(int depth) {
    return random.nextInt(3) == 0 ? one("0", "2", "0.1", "100000") : number(depth - 1);
  }

  private String condition(int depth) {
    String operand = number(depth);
    return switch (random.nextInt(4)) {
      case 0, 1 -> "IsNull(%s)".formatted(operand);
      case 2 -> "(%s%s%s)".formatted(operand, one(">", "<=", "!="), number(depth));
      default -> "Not(IsNull(%s))".formatted(operand);
    };
  }

  private int bars() {
    return List.of(1, 2, dayLength, dayLength + 1, 2 * dayLength, 0, -1).get(random.nextInt(7));
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}

package io.tranche.market.order;

import io.tranche.market.Calendar;
import java.time.LocalDate;
import java.util.List;

/// Which days are for training, validation and test: up to `trainEnd`, then up to `validEnd`, then
/// the rest.
public record OrderSplit(LocalDate trainEnd, LocalDate validEnd) {

  /// The dates in Qlib's order script.
  public static final OrderSplit QLIB =
      new OrderSplit(LocalDate.of(2021, 6, 30), LocalDate.of(2021, 9, 30));

  /// A part of the orders, named in lower case as a folder.
  public enum Tag {
    TRAIN,
    VALID,
    TEST,
    ALL
  }

  public OrderSplit {
    if (validEnd.isBefore(trainEnd)) {
      throw new IllegalArgumentException(
          "validEnd must not be before trainEnd, was %s and %s".formatted(validEnd, trainEnd));
    }
  }

  /// Splits the days of `calendar` by their number.
  ///
  /// @param train the share of days for training, in (0, 1)
  /// @param valid the share of days for validation, in [0, 1 - train)
  /// @throws IllegalArgumentException if a share is out of range or nothing would be left to train
  ///   or test
  public static OrderSplit byShares(Calendar calendar, double train, double valid) {
    if (!(train > 0 && valid >= 0 && train + valid < 1)) {
      throw new IllegalArgumentException(
          "shares must be positive and below 1 together, was %s and %s".formatted(train, valid));
    }
    int trainDays = (int) Math.round(train * calendar.days());
    int validDays = (int) Math.round((train + valid) * calendar.days());
    if (trainDays == 0 || validDays >= calendar.days()) {
      throw new IllegalArgumentException(
          "calendar must have days for every part, was %d days".formatted(calendar.days()));
    }
    return new OrderSplit(calendar.date(trainDays - 1), calendar.date(validDays - 1));
  }

  public Tag tag(LocalDate date) {
    if (!date.isAfter(trainEnd)) {
      return Tag.TRAIN;
    }
    return date.isAfter(validEnd) ? Tag.TEST : Tag.VALID;
  }

  public List<DayOrder> part(List<DayOrder> orders, Tag tag) {
    return orders.stream().filter(order -> tag == Tag.ALL || tag == tag(order.date())).toList();
  }
}

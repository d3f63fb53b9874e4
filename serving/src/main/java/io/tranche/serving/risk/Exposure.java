package io.tranche.serving.risk;

import io.tranche.market.Side;

/// What an order, an instrument, an account or everything has filled and has out, in money.
///
/// @param net bought less sold
/// @param gross bought and sold
/// @param buys what buying child orders may still fill
/// @param sells what selling child orders may still fill
/// @param executions how many child orders were sent
public record Exposure(double net, double gross, double buys, double sells, int executions) {

  public static final Exposure NONE = new Exposure(0, 0, 0, 0, 0);

  /// Returns the exposure of one order.
  ///
  /// @param filled the value of its fills
  /// @param out the value of what is out
  public static Exposure of(Side side, double filled, double out, int executions) {
    return side == Side.BUY
        ? new Exposure(filled, filled, out, 0, executions)
        : new Exposure(-filled, filled, 0, out, executions);
  }

  /// Returns the largest value of a further child order whose fill keeps `net` within `most`, even
  /// if everything on its side fills.
  double netRoom(Side side, double most) {
    return side == Side.BUY ? most - (net + buys) : most + (net - sells);
  }

  /// Returns the largest value of a further child order that keeps `gross` within `most`.
  double grossRoom(double most) {
    return most - gross - buys - sells;
  }

  /// Returns the same without what an order has out.
  Exposure without(Side side, double out) {
    return side == Side.BUY
        ? new Exposure(net, gross, buys - out, sells, executions)
        : new Exposure(net, gross, buys, sells - out, executions);
  }
}

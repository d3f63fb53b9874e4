package io.tranche.cluster;

import io.tranche.market.DataException;
import io.tranche.work.Job;
import io.tranche.work.JobKind;
import java.nio.charset.StandardCharsets;

/// Answers setup, shared and piece, one after the other; complains of a piece called `bad`.
public final class EchoKind implements JobKind {

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public Job open(byte[] setup) {
    String begin = text(setup);
    if (begin.equals("missing")) {
      throw new DataException("/data/store", "a store", "nothing");
    }
    return (shared, piece) -> {
      if (text(piece).equals("bad")) {
        throw new DataException("orders.csv: row 7", "an instrument", "none");
      }
      return (begin + text(shared) + text(piece)).getBytes(StandardCharsets.UTF_8);
    };
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

package io.tranche.serving.engine;

import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Caller;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Holds changes of limits, models and the route until a second person sends the same request.
/// Switches never wait. A restart forgets what is held. Any thread may call it.
final class SecondPerson {

  private static final int MINUTES = 30;
  private static final int MOST = 1_000;

  private record Proposal(String person, long until) {}

  private final boolean isNeeded;
  private final LongSupplier ticker;
  private final Map<Request.Admin, Proposal> held = new HashMap<>();

  SecondPerson(boolean isNeeded, LongSupplier ticker) {
    this.isNeeded = isNeeded;
    this.ticker = ticker;
  }

  /// Returns in whose name a request is carried out.
  ///
  /// @throws Refusal if it waits for another person
  synchronized String require(Request.Admin request) {
    String caller = Caller.name();
    boolean isFree =
        request instanceof Request.Switch
            || request instanceof Request.Correction
            || caller.equals(Caller.SERVICE);
    if (!isNeeded || isFree) {
      return caller;
    }
    long now = ticker.getAsLong();
    held.values().removeIf(each -> each.until() - now < 0);
    String person = caller.substring(0, Math.max(caller.indexOf('@'), 0));
    Proposal first = held.get(request);
    if (first != null && !first.person().equals(person)) {
      held.remove(request);
      return first.person() + "+" + caller;
    }
    if (first == null && held.size() >= MOST) {
      throw new Refusal(Reason.OVERLOADED, "too many changes wait for a second person");
    }
    held.put(request, new Proposal(person, now + TimeUnit.MINUTES.toNanos(MINUTES)));
    throw new Refusal(
        Reason.UNCONFIRMED,
        "a second person must send the same within %d minutes, was sent by %s alone"
            .formatted(MINUTES, person));
  }
}

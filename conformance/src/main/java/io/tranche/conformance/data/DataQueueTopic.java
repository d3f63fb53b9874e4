package io.tranche.conformance.data;

import io.tranche.conformance.golden.GoldenValue;
import io.tranche.env.queue.DataQueue;
import io.tranche.env.queue.DataQueueConfig;
import io.tranche.market.DataException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The items that consumers of a data queue get. The name of a case says how the queue is used.
public final class DataQueueTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final DataQueueConfig ORDERED = DataQueueConfig.DEFAULT.withShuffle(false);

  private DataQueueTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.path("input");
    int size = input.path("n").asInt(0);
    String name = testCase.path("name").asString();
    return switch (name.replaceFirst("_n\\d.*", "")) {
      case "ordered" -> ordered(size, input);
      case "shuffled" -> shuffled(size, input);
      case "infinite" -> infinite(size, input);
      case "two_consumers_share_items" -> shared(size, input);
      case "iterate_before_activate" -> JSON.stringNode("" + queue(1, 0, ORDERED).iterator());
      case "activate_twice" ->
          JSON.stringNode("" + queue(1, 0, ORDERED).activate().activate().position());
      case "activate_without_with_block" -> closedByHand(size);
      case "empty_dataset_ordered" -> object("items", items(queue(0, 0, ORDERED).activate()));
      case "constructor_defaults" -> defaults();
      case "leave_with_block_early_drops_rest" -> leftEarly(size);
      case "manual_put_before_activate" -> putByHand(size, input);
      default -> throw new DataException("case " + name, "one of the known scripts", name);
    };
  }

  private static JsonNode ordered(int size, JsonNode input) {
    try (var queue = queue(size, 0, ORDERED.withRepeat(input.path("repeat").asInt())).activate()) {
      return object("items", items(queue)).put("done_flag", doneFlag(queue, false));
    }
  }

  private static JsonNode shuffled(int size, JsonNode input) {
    int repeat = input.path("repeat").asInt();
    try (var queue = queue(size, 0, DataQueueConfig.DEFAULT.withRepeat(repeat)).activate()) {
      List<Integer> items = items(queue);
      var epochs = new ArrayList<List<Integer>>();
      for (int from = 0; from + size <= items.size(); from += size) {
        epochs.add(items.subList(from, from + size).stream().sorted().toList());
      }
      return object("sorted_items_of_each_epoch", epochs).put("total", items.size());
    }
  }

  private static JsonNode infinite(int size, JsonNode input) {
    var config = ORDERED.withRepeat(DataQueueConfig.ENDLESS);
    try (var queue = queue(size, 0, config).activate()) {
      return object("items", taken(queue, input.path("take").asInt()));
    }
  }

  private static JsonNode shared(int size, JsonNode input) {
    try (var queue = queue(size, 0, ORDERED).activate()) {
      Map<Character, Iterator<Integer>> consumers =
          Map.of('a', queue.iterator(), 'b', queue.iterator());
      var pulled = new ArrayList<List<Integer>>();
      for (JsonNode turns : input.path("pull_order")) {
        pulled.add(turns.asString().chars().mapToObj(c -> next(consumers.get((char) c))).toList());
      }
      return object("pulled", pulled)
          .set("rest", GoldenValue.tree(List.of(items(queue), items(queue))));
    }
  }

  private static Integer next(@Nullable Iterator<Integer> consumer) {
    if (consumer == null) {
      throw new DataException("input.pull_order", "turns of a and b", "another");
    }
    return consumer.next();
  }

  private static JsonNode closedByHand(int size) {
    var queue = queue(size, 1, ORDERED).activate();
    List<Integer> items = items(queue);
    queue.close();
    return object("items", items).put("done_flag_after_cleanup", doneFlag(queue, true));
  }

  private static JsonNode defaults() {
    DataQueueConfig config = DataQueueConfig.DEFAULT;
    boolean isOneACore = config.capacity() == Runtime.getRuntime().availableProcessors();
    return JSON.objectNode()
        .put("repeat", config.repeat())
        .put("shuffle", config.shuffle())
        .put("producer_num_workers", config.producers())
        .put("queue_maxsize", isOneACore ? "0 means os.cpu_count()" : "" + config.capacity())
        .put("first_get_timeout_s", DataQueue.FIRST_WAIT.toMillis() / 1000.0)
        .put("later_get_timeout_s", DataQueue.LATER_WAIT.toMillis() / 1000.0);
  }

  private static JsonNode leftEarly(int size) {
    var queue = queue(size, 0, ORDERED).activate();
    List<Integer> items = taken(queue, 2);
    queue.close();
    Integer next = queue.take();
    return object("items", items).put("next_after_exit", next == null ? "END" : "" + next);
  }

  private static JsonNode putByHand(int size, JsonNode input) {
    try (var queue = queue(size, 7, ORDERED)) {
      queue.put(input.path("put").asInt());
      return object("items", items(queue.activate()));
    }
  }

  private static DataQueue<Integer> queue(int size, int first, DataQueueConfig config) {
    return new DataQueue<>(IntStream.range(first, first + size).boxed().toList(), config);
  }

  private static List<Integer> items(DataQueue<Integer> queue) {
    return taken(queue, Integer.MAX_VALUE);
  }

  private static List<Integer> taken(DataQueue<Integer> queue, int count) {
    var items = new ArrayList<Integer>();
    for (Integer item; items.size() < count && (item = queue.take()) != null; ) {
      items.add(item);
    }
    return items;
  }

  /// Returns Qlib's counter, to which the end of the data and the cleanup each add one.
  private static int doneFlag(DataQueue<?> queue, boolean isClosed) {
    return (queue.isProduced() ? 1 : 0) + (isClosed ? 1 : 0);
  }

  private static ObjectNode object(String name, List<?> items) {
    return JSON.objectNode().set(name, GoldenValue.tree(items));
  }
}

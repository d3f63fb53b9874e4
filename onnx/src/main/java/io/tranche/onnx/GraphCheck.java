package io.tranche.onnx;

import io.tranche.policy.weights.CheckpointException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// Looks into an ONNX file before ONNX Runtime opens it: what reaches outside the file, or needs
/// code that is not ONNX Runtime's own, is refused.
///
/// Reads the protobuf messages as far as they matter here: a model (graph 7, operator sets 8,
/// training 20, functions 25), graphs (nodes 1, initializers 5, sparse ones 15), nodes (attributes
/// 5, domain 7), attributes (tensors 5 and 10, graphs 6 and 11, sparse tensors 22 and 23) and
/// tensors (external data 13, data location 14).
final class GraphCheck {

  private static final Set<String> DOMAINS = Set.of("", "ai.onnx", "ai.onnx.ml");
  private static final int DEEPEST = 64;

  private final String where;
  private final byte[] bytes;

  private GraphCheck(String where, byte[] bytes) {
    this.where = where;
    this.bytes = bytes;
  }

  /// @throws CheckpointException if the file is damaged, keeps tensors in other files, or uses
  ///   operators of others
  static void require(String where, byte[] bytes) {
    if (bytes.length == 0) {
      throw new CheckpointException(where, "an ONNX graph", "an empty file");
    }
    new GraphCheck(where, bytes).model();
  }

  /// What to do with a field.
  @FunctionalInterface
  private interface Field {
    void at(int number, int from, int to);
  }

  private void model() {
    boolean[] hasGraph = {false};
    message(
        0,
        bytes.length,
        (number, from, to) -> {
          switch (number) {
            case 7 -> {
              hasGraph[0] = true;
              graph(from, to, 0);
            }
            case 8 -> message(from, to, (field, a, b) -> domain(field == 1, a, b));
            case 20 -> throw refused("a graph for decisions", "one with training information");
            case 25 -> throw refused("operators of ONNX", "a graph with functions of its own");
            default -> {}
          }
        });
    if (!hasGraph[0]) {
      throw refused("an ONNX graph", "a file without one");
    }
  }

  private void graph(int start, int end, int depth) {
    if (depth > DEEPEST) {
      throw refused("graphs at most %d deep".formatted(DEEPEST), "deeper ones");
    }
    message(
        start,
        end,
        (number, from, to) -> {
          switch (number) {
            case 1 ->
                message(
                    from,
                    to,
                    (field, a, b) -> {
                      domain(field == 7, a, b);
                      if (field == 5) {
                        attribute(a, b, depth);
                      }
                    });
            case 5 -> tensor(from, to);
            case 15 -> sparse(from, to);
            default -> {}
          }
        });
  }

  private void attribute(int start, int end, int depth) {
    message(
        start,
        end,
        (number, from, to) -> {
          switch (number) {
            case 5, 10 -> tensor(from, to);
            case 6, 11 -> graph(from, to, depth + 1);
            case 22, 23 -> sparse(from, to);
            default -> {}
          }
        });
  }

  private void sparse(int start, int end) {
    message(
        start,
        end,
        (number, from, to) -> {
          if (number == 1 || number == 2) {
            tensor(from, to);
          }
        });
  }

  private void tensor(int start, int end) {
    message(
        start,
        end,
        (number, from, to) -> {
          if (number == 13 || (number == 14 && to > from && bytes[from] != 0)) {
            throw refused("all tensors in this file", "external data");
          }
        });
  }

  private void domain(boolean isDomain, int from, int to) {
    if (isDomain) {
      String domain = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      if (!DOMAINS.contains(domain)) {
        throw refused("operators of ONNX", "custom operators of '%s'".formatted(domain));
      }
    }
  }

  /// Calls `each` for the fields of a message; numbers are given by the place of their bytes.
  private void message(int start, int end, Field each) {
    int[] at = {start};
    while (at[0] < end) {
      long tag = varint(at, end);
      int number = (int) (tag >>> 3);
      int from = at[0];
      switch ((int) (tag & 7)) {
        case 0 -> {
          varint(at, end);
          each.at(number, from, at[0]);
        }
        case 1 -> at[0] += Long.BYTES;
        case 2 -> {
          long length = varint(at, end);
          from = at[0];
          if (length < 0 || length > end - from) {
            throw damaged(from);
          }
          at[0] += (int) length;
          each.at(number, from, at[0]);
        }
        case 5 -> at[0] += Integer.BYTES;
        default -> throw damaged(from);
      }
      if (at[0] > end || number == 0) {
        throw damaged(from);
      }
    }
  }

  private long varint(int[] at, int end) {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at[0] >= end) {
        throw damaged(at[0]);
      }
      byte next = bytes[at[0]++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw damaged(at[0]);
  }

  private CheckpointException damaged(int offset) {
    return refused("an ONNX graph", "damaged at byte " + offset);
  }

  private CheckpointException refused(String expected, String was) {
    return new CheckpointException(where, expected, was);
  }
}

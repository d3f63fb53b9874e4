package io.tranche.cluster;

import io.tranche.work.WorkException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Numbered contents as bytes: the pieces of one task, or their results.
///
/// Big-endian: how many, then number, length and content of each.
final class TaskBatch {

  private final List<Integer> numbers = new ArrayList<>();
  private final List<byte[]> contents = new ArrayList<>();
  private long length = Integer.BYTES;

  void add(int number, byte[] content) {
    numbers.add(number);
    contents.add(content);
    length += 2L * Integer.BYTES + content.length;
  }

  int size() {
    return numbers.size();
  }

  int number(int index) {
    return numbers.get(index);
  }

  byte[] content(int index) {
    return contents.get(index);
  }

  /// @throws WorkException if it is more than an array can hold
  byte[] bytes() {
    if (length > Integer.MAX_VALUE - 8) {
      throw new WorkException("a batch of work must be below 2 GB, was %d bytes".formatted(length));
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) length).putInt(size());
    for (int i = 0; i < size(); i++) {
      bytes.putInt(number(i)).putInt(content(i).length).put(content(i));
    }
    return bytes.array();
  }

  /// Reads what [#bytes] returned.
  ///
  /// @throws WorkException if it is something else
  static TaskBatch read(byte[] array) {
    var batch = new TaskBatch();
    ByteBuffer bytes = ByteBuffer.wrap(array);
    if (array.length < Integer.BYTES) {
      throw new WorkException("a batch of work must say how many pieces it holds");
    }
    int count = bytes.getInt();
    for (int i = 0; i < count; i++) {
      if (bytes.remaining() < 2 * Integer.BYTES) {
        throw new WorkException("a batch of work must hold %d pieces, was %d".formatted(count, i));
      }
      int number = bytes.getInt();
      int size = bytes.getInt();
      if (size < 0 || size > bytes.remaining()) {
        throw new WorkException(
            "a piece of work must end with its batch, was %d bytes longer".formatted(size));
      }
      byte[] content = new byte[size];
      bytes.get(content);
      batch.add(number, content);
    }
    return batch;
  }

  /// Cuts pieces into at most `count` batches, in order and as evenly as possible.
  static List<byte[]> split(List<byte[]> pieces, int count) {
    int batches = Math.min(pieces.size(), Math.max(1, count));
    var split = new ArrayList<byte[]>();
    for (int i = 0; i < batches; i++) {
      var batch = new TaskBatch();
      int end = (int) ((long) pieces.size() * (i + 1) / batches);
      for (int piece = (int) ((long) pieces.size() * i / batches); piece < end; piece++) {
        batch.add(piece, pieces.get(piece));
      }
      split.add(batch.bytes());
    }
    return split;
  }
}

package io.tranche.market.store;

import io.tranche.market.DataException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One field of one instrument, mapped into memory: little-endian single precision, the calendar
/// index of the first value and then one value per bar.
///
/// Confined to the thread that opened it.
///
/// @param first the calendar index of the first value
record BinFile(Arena arena, MemorySegment values, int first, int count) implements AutoCloseable {

  private static final ValueLayout.OfFloat LITTLE =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Opens `file`, or returns null if there is none.
  ///
  /// @param calendarSize the number of bars that the calendar has
  /// @throws DataException if the file cannot belong to that calendar
  static @Nullable BinFile open(Path file, int calendarSize) {
    Arena arena = Arena.ofConfined();
    BinFile opened = null;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size < Float.BYTES || size % Float.BYTES != 0) {
        throw new DataException(
            file + ":offset " + size / Float.BYTES * Float.BYTES,
            "whole numbers of 4 bytes, at least one",
            size + " bytes");
      }
      MemorySegment values = channel.map(MapMode.READ_ONLY, 0, size, arena);
      long count = size / Float.BYTES - 1;
      int first = first(file, values.get(LITTLE, 0), count, calendarSize);
      opened = new BinFile(arena, values, first, (int) count);
      return opened;
    } catch (NoSuchFileException _) {
      return null;
    } catch (IOException e) {
      throw new DataException(file.toString(), "a readable file", e.getMessage(), e);
    } finally {
      if (opened == null) {
        arena.close();
      }
    }
  }

  private static int first(Path file, float header, long count, int calendarSize) {
    boolean within = header >= 0 && header <= calendarSize && header == Math.rint(header);
    if (!within) {
      throw new DataException(
          file + ":offset 0", "an index of the calendar's %d bars".formatted(calendarSize), header);
    }
    if (count > calendarSize - (long) header) {
      throw new DataException(
          file + ":offset " + Float.BYTES * (1 + calendarSize - (long) header),
          "the end, as the calendar has %d bars".formatted(calendarSize),
          "%d values from bar %d on".formatted(count, (long) header));
    }
    return (int) header;
  }

  /// Returns the calendar index after the last value.
  int end() {
    return first + count;
  }

  /// Copies the values of calendar indices `from` to `from + length` into `target`, NaN where there
  /// are none.
  void copy(int from, float[] target, int offset, int length) {
    int start = Math.clamp(first, from, from + length);
    int end = Math.clamp(end(), start, from + length);
    Arrays.fill(target, offset, offset + start - from, Float.NaN);
    if (end > start) {
      long at = Float.BYTES * (1L + start - first);
      MemorySegment.copy(values, LITTLE, at, target, offset + start - from, end - start);
    }
    Arrays.fill(target, offset + end - from, offset + length, Float.NaN);
  }

  @Override
  public void close() {
    arena.close();
  }
}

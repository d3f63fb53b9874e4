package io.tranche.market.pickle;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a pickle holds, as inert data.
///
/// Values may be shared, cyclic and nested without limit, so code that walks through them must
/// bound the walk. `toString` therefore never looks inside.
public sealed interface PickleValue {

  /// Python's `None`.
  record None() implements PickleValue {
    static final None NONE = new None();
  }

  record Bool(boolean value) implements PickleValue {
    static final Bool TRUE = new Bool(true);
    static final Bool FALSE = new Bool(false);
  }

  record Int(long value) implements PickleValue {}

  /// An integer that does not fit 64 bits.
  record BigInt(BigInteger value) implements PickleValue {
    @Override
    public String toString() {
      return "an integer of %d bits".formatted(value.bitLength());
    }
  }

  record Real(double value) implements PickleValue {}

  record Text(String value) implements PickleValue {}

  /// A class or function, by name only.
  record Global(String module, String name) implements PickleValue {

    /// Returns the dotted name; protocols 0 to 2 use the Python 2 names of some modules.
    public String path() {
      return (module.equals("__builtin__") ? "builtins" : module) + "." + name;
    }
  }

  /// A run of bytes: a view of the file, never a copy.
  final class Bytes implements PickleValue {
    private final ByteBuffer buffer;

    Bytes(ByteBuffer buffer) {
      this.buffer = buffer.asReadOnlyBuffer();
    }

    public int length() {
      return buffer.remaining();
    }

    /// Returns a read-only view, big-endian by default.
    public ByteBuffer buffer() {
      return buffer.duplicate();
    }

    @Override
    public String toString() {
      return length() + " bytes";
    }
  }

  /// A list, tuple, set or frozenset.
  final class Sequence implements PickleValue {

    public enum Kind {
      LIST,
      TUPLE,
      SET,
      FROZENSET
    }

    private final Kind kind;
    private final List<PickleValue> items;

    Sequence(Kind kind, List<PickleValue> items) {
      this.kind = kind;
      this.items = items;
    }

    public Kind kind() {
      return kind;
    }

    public List<PickleValue> items() {
      return Collections.unmodifiableList(items);
    }

    boolean isMutable() {
      return kind == Kind.LIST || kind == Kind.SET;
    }

    void addAll(List<PickleValue> more) {
      items.addAll(more);
    }

    @Override
    public String toString() {
      return "a %s of %d".formatted(kind, items.size());
    }
  }

  /// A dictionary in insertion order; keys may be anything.
  final class Dict implements PickleValue {
    private final List<Map.Entry<PickleValue, PickleValue>> entries = new ArrayList<>(0);

    Dict() {}

    public List<Map.Entry<PickleValue, PickleValue>> entries() {
      return Collections.unmodifiableList(entries);
    }

    /// Returns the value of a text key, or null; as in Python the last one set counts.
    public @Nullable PickleValue get(String key) {
      for (int i = entries.size() - 1; i >= 0; i--) {
        if (entries.get(i).getKey() instanceof Text(String text) && text.equals(key)) {
          return entries.get(i).getValue();
        }
      }
      return null;
    }

    void put(PickleValue key, PickleValue value) {
      entries.add(Map.entry(key, value));
    }

    @Override
    public String toString() {
      return "a dict of " + entries.size();
    }
  }

  /// The record of an object that Python would have built: the callable and its arguments, and the
  /// state set afterwards.
  final class PickledObject implements PickleValue {
    private final PickleValue maker;
    private final Sequence arguments;
    private final @Nullable Dict keywords;
    private final int offset;
    private @Nullable PickleValue state;
    private @Nullable Sequence elements;
    private @Nullable Dict entries;

    PickledObject(PickleValue maker, Sequence arguments, @Nullable Dict keywords, int offset) {
      this.maker = maker;
      this.arguments = arguments;
      this.keywords = keywords;
      this.offset = offset;
    }

    /// Returns the dotted name of the class or function, or `?` where it is no plain name.
    public String type() {
      return maker instanceof Global global ? global.path() : "?";
    }

    PickleValue maker() {
      return maker;
    }

    public List<PickleValue> arguments() {
      return arguments.items();
    }

    /// Returns the keyword arguments, or null.
    public @Nullable Dict keywords() {
      return keywords;
    }

    /// Returns what `__setstate__` would have been given, or null.
    public @Nullable PickleValue state() {
      return state;
    }

    /// Returns what would have been appended to the object.
    public List<PickleValue> elements() {
      return elements == null ? List.of() : elements.items();
    }

    /// Returns what would have been set in the object by key, or null.
    public @Nullable Dict entries() {
      return entries;
    }

    /// Returns the place in the file where the object was made.
    public int offset() {
      return offset;
    }

    /// Returns whether there was no state before.
    boolean build(PickleValue value) {
      boolean first = state == null;
      state = value;
      return first;
    }

    void addAll(List<PickleValue> more) {
      if (elements == null) {
        elements = new Sequence(Sequence.Kind.LIST, new ArrayList<>(more.size()));
      }
      elements.addAll(more);
    }

    void put(PickleValue key, PickleValue value) {
      if (entries == null) {
        entries = new Dict();
      }
      entries.put(key, value);
    }

    @Override
    public String toString() {
      return "an object of " + type();
    }
  }
}

package io.tranche.market.pickle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.DataException;
import io.tranche.market.pickle.PickleValue.Bool;
import io.tranche.market.pickle.PickleValue.Bytes;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.Global;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.None;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Real;
import io.tranche.market.pickle.PickleValue.Sequence;
import io.tranche.market.pickle.PickleValue.Sequence.Kind;
import io.tranche.market.pickle.PickleValue.Text;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Python's pickle machine with its hands tied: protocols 0 to 5 become [PickleValue]s.
///
/// A class or function is a name, an object the record of a call that never happens. Every length
/// is held against what is left of the file before anything is allocated, so the memory used is in
/// proportion to the file. What only Python 2 wrote, the extension registry and out-of-band buffers
/// are refused.
public final class PickleReader {

  /// No legitimate file of market data or weights comes near; it bounds a file of empty lists.
  private static final int MAX_OBJECTS = 3_000_000;

  private static final int MAX_MARKS = 10_000;
  private static final int MAX_FILE_BYTES = 1 << 30;
  private static final int MAX_DIGITS = 1_000; // decimal conversion takes quadratic time

  private final String where;
  private final ByteBuffer in;
  private final PersistentIds persistentIds;
  private final List<PickleValue> stack = new ArrayList<>();
  private int[] marks = new int[16];
  private int markCount;
  private @Nullable PickleValue[] memo = new PickleValue[64];
  private int memoSize;
  private int objects;
  private int opcodeAt;

  private PickleReader(String where, ByteBuffer in, PersistentIds persistentIds) {
    this.where = where;
    this.in = in.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.persistentIds = persistentIds;
  }

  /// Reads a file that holds one pickle.
  ///
  /// @throws DataException if the file is missing, damaged or asks for something refused
  public static PickleValue read(Path file) {
    return read(file.toString(), contents(file), _ -> null);
  }

  /// Reads one pickle that fills `bytes`, which must not change while its values are in use.
  ///
  /// @param where what to call the source in error messages
  /// @throws DataException if the pickle is damaged or asks for something refused
  public static PickleValue read(String where, ByteBuffer bytes, PersistentIds persistentIds) {
    return new PickleReader(where, bytes, persistentIds).run();
  }

  static ByteBuffer contents(Path file) {
    try {
      long size = Files.size(file);
      if (size > MAX_FILE_BYTES) {
        throw new DataException(
            file.toString(), "a pickle of at most " + MAX_FILE_BYTES + " bytes", size);
      }
      return ByteBuffer.wrap(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw new DataException(file.toString(), "a file", "nothing there", e);
    } catch (IOException e) {
      throw new DataException(file.toString(), "a readable file", e.getMessage(), e);
    }
  }

  private PickleValue run() {
    while (true) {
      opcodeAt = in.position();
      int opcode = need(1).get() & 0xff;
      if (opcode == '.') {
        PickleValue result = pop();
        if (in.hasRemaining()) {
          throw bad("the end of the file after STOP", in.remaining() + " more bytes");
        }
        return result;
      }
      step(opcode);
    }
  }

  private void step(int opcode) {
    switch (opcode) {
      case 0x80 -> protocol(need(1).get() & 0xff); // PROTO
      case 0x95 -> length(need(8).getLong()); // FRAME: only a hint for reading ahead
      case '(' -> mark();
      case '0' -> discard(); // POP
      case '1' -> popMark(); // POP_MARK
      case '2' -> push(top()); // DUP

      case 'N' -> push(None.NONE);
      case 0x88 -> push(new Bool(true)); // NEWTRUE
      case 0x89 -> push(new Bool(false)); // NEWFALSE
      case 'I' -> make(decimal(line(MAX_DIGITS))); // INT
      case 'L' -> make(integer(line(MAX_DIGITS).replaceFirst("L$", ""))); // LONG
      case 'J' -> make(new Int(need(4).getInt())); // BININT
      case 'K' -> make(new Int(need(1).get() & 0xff)); // BININT1
      case 'M' -> make(new Int(need(2).getShort() & 0xffff)); // BININT2
      case 0x8a -> make(integer(slice(need(1).get() & 0xff))); // LONG1
      case 0x8b -> make(integer(slice(need(4).getInt()))); // LONG4
      case 'F' -> make(new Real(real(line(MAX_DIGITS)))); // FLOAT
      case 'G' -> make(new Real(Double.longBitsToDouble(Long.reverseBytes(need(8).getLong()))));

      case 'V' -> make(new Text(rawUnicode(line(Integer.MAX_VALUE)))); // UNICODE
      case 0x8c -> make(text(slice(need(1).get() & 0xff))); // SHORT_BINUNICODE
      case 'X' -> make(text(slice(unsigned(need(4).getInt())))); // BINUNICODE
      case 0x8d -> make(text(slice(need(8).getLong()))); // BINUNICODE8
      case 'C' -> make(new Bytes(slice(need(1).get() & 0xff))); // SHORT_BINBYTES
      case 'B' -> make(new Bytes(slice(unsigned(need(4).getInt())))); // BINBYTES
      case 0x8e, 0x96 -> make(new Bytes(slice(need(8).getLong()))); // BINBYTES8, BYTEARRAY8

      case ']' -> make(new Sequence(Kind.LIST, new ArrayList<>(0)));
      case ')' -> make(new Sequence(Kind.TUPLE, List.of()));
      case 0x8f -> make(new Sequence(Kind.SET, new ArrayList<>(0)));
      case '}' -> make(new Dict());
      case 'l' -> make(new Sequence(Kind.LIST, popMark())); // LIST
      case 't' -> make(new Sequence(Kind.TUPLE, popMark())); // TUPLE
      case 0x91 -> make(new Sequence(Kind.FROZENSET, popMark()));
      case 0x85, 0x86, 0x87 -> make(new Sequence(Kind.TUPLE, popLast(opcode - 0x84))); // TUPLE1-3
      case 'd' -> make(dict(popMark())); // DICT
      case 'a' -> append(popLast(1)); // APPEND
      case 'e', 0x90 -> append(popMark()); // APPENDS, ADDITEMS
      case 's' -> setItems(popLast(2)); // SETITEM
      case 'u' -> setItems(popMark()); // SETITEMS

      case 'p' -> remember(index(line(MAX_DIGITS))); // PUT
      case 'q' -> remember(need(1).get() & 0xff); // BINPUT
      case 'r' -> remember(unsigned(need(4).getInt())); // LONG_BINPUT
      case 0x94 -> remember(memoSize); // MEMOIZE
      case 'g' -> push(recall(index(line(MAX_DIGITS)))); // GET
      case 'h' -> push(recall(need(1).get() & 0xff)); // BINGET
      case 'j' -> push(recall(unsigned(need(4).getInt()))); // LONG_BINGET

      case 'c' -> make(new Global(line(MAX_DIGITS), line(MAX_DIGITS))); // GLOBAL
      case 0x93 -> stackGlobal();
      case 'R', 0x81 -> call(popLast(2), null); // REDUCE, NEWOBJ
      case 0x92 -> callWithKeywords(popLast(3)); // NEWOBJ_EX
      case 'b' -> build(popLast(1).getFirst()); // BUILD
      case 'P' -> persistent(new Text(line(MAX_DIGITS))); // PERSID
      case 'Q' -> persistent(pop()); // BINPERSID

      case 0x82, 0x83, 0x84 -> throw bad("no use of the extension registry", name(opcode));
      case 0x97, 0x98 -> throw bad("no out-of-band buffers", name(opcode));
      case 'S', 'T', 'U', 'i', 'o' -> throw bad("no pickle of Python 2", name(opcode));
      default -> throw bad("a pickle opcode", name(opcode));
    }
  }

  private void protocol(int version) {
    if (version > 5) {
      throw bad("a pickle protocol up to 5", version);
    }
  }

  // ---- bytes ----

  private ByteBuffer need(int count) {
    if (in.remaining() < count) {
      throw bad(count + " more bytes", in.remaining() + " until the end of the file");
    }
    return in;
  }

  private int length(long length) {
    if (length < 0 || length > in.remaining()) {
      throw bad(
          "a length of at most %d, the rest of the file".formatted(in.remaining()),
          Long.toUnsignedString(length));
    }
    return (int) length;
  }

  private ByteBuffer slice(long length) {
    int checked = length(length);
    ByteBuffer slice = in.slice(in.position(), checked);
    in.position(in.position() + checked);
    return slice;
  }

  /// Returns the bytes up to the next line feed as Latin-1.
  private String line(int longest) {
    int start = in.position();
    while (need(1).get() != '\n') {
      if (in.position() - start > longest) {
        throw bad("a line of at most %d characters".formatted(longest), "a longer one");
      }
    }
    byte[] bytes = new byte[in.position() - 1 - start];
    in.get(start, bytes);
    return new String(bytes, ISO_8859_1);
  }

  private Text text(ByteBuffer bytes) {
    try {
      return new Text(UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException e) {
      throw bad("text in UTF-8", "other bytes");
    }
  }

  /// Decodes Python's raw-unicode-escape: Latin-1 with \\uXXXX and \\UXXXXXXXX.
  private String rawUnicode(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    var decoded = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int digits =
          c != '\\' || i + 1 == text.length()
              ? 0
              : switch (text.charAt(i + 1)) {
                case 'u' -> 4;
                case 'U' -> 8;
                default -> 0;
              };
      if (digits == 0) {
        decoded.append(c);
        continue;
      }
      try {
        decoded.appendCodePoint(Integer.parseInt(text, i + 2, i + 2 + digits, 16));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw bad("a unicode escape of %d digits".formatted(digits), "something else");
      }
      i += digits + 1;
    }
    return decoded.toString();
  }

  private PickleValue decimal(String text) {
    return switch (text) {
      case "00" -> new Bool(false); // how protocol 0 spells the booleans
      case "01" -> new Bool(true);
      default -> integer(text);
    };
  }

  private PickleValue integer(String text) {
    try {
      return integer(new BigInteger(text));
    } catch (NumberFormatException e) {
      throw bad("an integer", "'" + text + "'");
    }
  }

  private PickleValue integer(ByteBuffer littleEndian) {
    if (littleEndian.remaining() > MAX_DIGITS) {
      throw bad("an integer of at most %d bytes".formatted(MAX_DIGITS), littleEndian.remaining());
    }
    byte[] bigEndian = new byte[littleEndian.remaining()];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[bigEndian.length - 1 - i] = littleEndian.get(i);
    }
    return integer(bigEndian.length == 0 ? BigInteger.ZERO : new BigInteger(bigEndian));
  }

  private static PickleValue integer(BigInteger value) {
    return value.bitLength() < Long.SIZE
        ? new Int(value.longValue())
        : new PickleValue.BigInt(value);
  }

  private double real(String text) {
    try {
      return switch (text) {
        case "nan" -> Double.NaN;
        case "inf" -> Double.POSITIVE_INFINITY;
        case "-inf" -> Double.NEGATIVE_INFINITY;
        default -> Double.parseDouble(text);
      };
    } catch (NumberFormatException e) {
      throw bad("a number", "'" + text + "'");
    }
  }

  private long index(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw bad("a memo index", "'" + text + "'");
    }
  }

  // ---- stack and memo ----

  private void make(PickleValue value) {
    if (++objects > MAX_OBJECTS) {
      throw bad("at most %d objects".formatted(MAX_OBJECTS), "more");
    }
    stack.add(value);
  }

  private void push(PickleValue value) {
    stack.add(value);
  }

  private PickleValue top() {
    if (stack.size() <= floor()) {
      throw bad("a value on the stack", "none");
    }
    return stack.getLast();
  }

  private PickleValue pop() {
    top();
    return stack.removeLast();
  }

  private int floor() {
    return markCount == 0 ? 0 : marks[markCount - 1];
  }

  private void mark() {
    if (markCount == MAX_MARKS) {
      throw bad("at most %d open marks".formatted(MAX_MARKS), "more");
    }
    if (markCount == marks.length) {
      marks = Arrays.copyOf(marks, 2 * markCount);
    }
    marks[markCount++] = stack.size();
  }

  private void discard() {
    if (stack.size() > floor()) {
      stack.removeLast();
    } else {
      popMark();
    }
  }

  private List<PickleValue> popMark() {
    if (markCount == 0) {
      throw bad("a mark on the stack", "none");
    }
    List<PickleValue> values = take(marks[markCount - 1]);
    markCount--;
    return values;
  }

  private List<PickleValue> popLast(int count) {
    if (stack.size() - count < floor()) {
      throw bad("%d values on the stack".formatted(count), stack.size() - floor());
    }
    return take(stack.size() - count);
  }

  private List<PickleValue> take(int from) {
    List<PickleValue> tail = stack.subList(from, stack.size());
    var values = new ArrayList<>(tail);
    tail.clear();
    return values;
  }

  private void remember(long index) {
    // Picklers count up from zero and each entry takes a byte at least, so no index is beyond here.
    if (index < 0 || index > in.position()) {
      throw bad("a memo index of at most " + in.position(), index);
    }
    int slot = (int) index;
    if (slot >= memo.length) {
      memo = Arrays.copyOf(memo, Math.max(slot + 1, memo.length + memo.length / 2));
    }
    if (memo[slot] == null) {
      memoSize++;
    }
    memo[slot] = top();
  }

  private PickleValue recall(long index) {
    PickleValue value = index >= 0 && index < memo.length ? memo[(int) index] : null;
    if (value == null) {
      throw bad("a memo index that was set", index);
    }
    return value;
  }

  // ---- containers and objects ----

  private void append(List<PickleValue> values) {
    switch (top()) {
      case Sequence sequence when sequence.isMutable() -> sequence.addAll(values);
      case PickledObject object -> object.addAll(values);
      default -> throw bad("something that can be appended to", top());
    }
  }

  private Dict dict(List<PickleValue> keysAndValues) {
    var dict = new Dict();
    stack.add(dict);
    setItems(keysAndValues);
    stack.removeLast();
    return dict;
  }

  private void setItems(List<PickleValue> keysAndValues) {
    if (keysAndValues.size() % 2 != 0) {
      throw bad("a value for every key", keysAndValues.size() + " of both");
    }
    PickleValue target = top();
    for (int i = 0; i < keysAndValues.size(); i += 2) {
      PickleValue key = keysAndValues.get(i);
      PickleValue value = keysAndValues.get(i + 1);
      switch (target) {
        case Dict dict -> dict.put(key, value);
        case PickledObject object -> object.put(key, value);
        default -> throw bad("something whose items can be set", target);
      }
    }
  }

  private void stackGlobal() {
    List<PickleValue> names = popLast(2);
    if (names.get(0) instanceof Text(String module) && names.get(1) instanceof Text(String name)) {
      make(new Global(module, name));
    } else {
      throw bad("the names of a module and a class", names.get(0) + " and " + names.get(1));
    }
  }

  private void call(List<PickleValue> makerAndArguments, @Nullable Dict keywords) {
    if (makerAndArguments.get(1) instanceof Sequence arguments && arguments.kind() == Kind.TUPLE) {
      make(new PickledObject(makerAndArguments.get(0), arguments, keywords, opcodeAt));
    } else {
      throw bad("a tuple of arguments", makerAndArguments.get(1));
    }
  }

  private void callWithKeywords(List<PickleValue> makerArgumentsKeywords) {
    if (makerArgumentsKeywords.get(2) instanceof Dict keywords) {
      call(makerArgumentsKeywords, keywords);
    } else {
      throw bad("a dict of keyword arguments", makerArgumentsKeywords.get(2));
    }
  }

  private void build(PickleValue state) {
    if (!(top() instanceof PickledObject object)) {
      throw bad("an object to give a state to", top());
    }
    if (!object.build(state)) {
      throw bad("one state an object", "a second one of " + object.type());
    }
  }

  private void persistent(PickleValue id) {
    PickleValue value = persistentIds.resolve(id);
    if (value == null) {
      throw bad("no reference to anything outside the file", "a persistent id");
    }
    make(value);
  }

  private static long unsigned(int value) {
    return Integer.toUnsignedLong(value);
  }

  private static String name(int opcode) {
    return opcode > ' ' && opcode < 0x7f
        ? "opcode '%c'".formatted(opcode)
        : "opcode 0x%02x".formatted(opcode);
  }

  private DataException bad(String expected, Object found) {
    String text = found.toString();
    String shown = text.length() <= 80 ? text : text.substring(0, 80) + "...";
    return new DataException("%s: byte %d".formatted(where, opcodeAt), expected, shown);
  }
}

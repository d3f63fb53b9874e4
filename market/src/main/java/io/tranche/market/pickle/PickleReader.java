package io.tranche.market.pickle;

import io.tranche.market.DataException;
import io.tranche.market.pickle.PickleValue.Bool;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.Global;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.None;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Sequence;
import io.tranche.market.pickle.PickleValue.Sequence.Kind;
import io.tranche.market.pickle.PickleValue.Text;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Python's pickle machine without the power to execute anything: protocols 0 to 5 become
/// [PickleValue]s.
///
/// A class or function is only a name, and an object is the record of a call that never happens.
/// Every length is compared with the rest of the file before anything is allocated, so the memory
/// used is proportional to the file. Opcodes that only Python 2 wrote, the extension registry and
/// out-of-band buffers are refused.
public final class PickleReader {

  /// Far above any legitimate file of market data or weights; it stops a file of empty lists.
  private static final int MAX_OBJECTS = 3_000_000;

  private static final int MAX_MARKS = 10_000;
  private static final int MAX_FILE_BYTES = 1 << 30;

  private final PickleInput in;
  private final PersistentIds persistentIds;
  private final List<PickleValue> stack = new ArrayList<>();
  private int[] marks = new int[16];
  private int markCount;
  private @Nullable PickleValue[] memo = new PickleValue[64];
  private int memoSize;
  private int objects;

  private PickleReader(PickleInput in, PersistentIds persistentIds) {
    this.in = in;
    this.persistentIds = persistentIds;
  }

  /// Reads a file that holds one pickle.
  ///
  /// @throws DataException if the file is missing, damaged or contains something that is refused
  public static PickleValue read(Path file) {
    return read(file.toString(), contents(file), _ -> null);
  }

  /// Reads one pickle that fills `bytes`, which must not change while its values are in use.
  ///
  /// @param where the name of the source in error messages
  /// @throws DataException if the pickle is damaged or contains something that is refused
  public static PickleValue read(String where, ByteBuffer bytes, PersistentIds persistentIds) {
    return new PickleReader(new PickleInput(where, bytes), persistentIds).run();
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
      int opcode = in.opcode();
      if (opcode == '.') {
        PickleValue result = pop();
        if (in.remaining() > 0) {
          throw in.bad("the end of the file after STOP", in.remaining() + " more bytes");
        }
        return result;
      }
      step(opcode);
    }
  }

  private void step(int opcode) {
    switch (opcode) {
      case 0x80 -> protocol(in.uint8()); // PROTO
      case 0x95 -> in.checkedLength(in.int64()); // FRAME: only a hint for reading ahead
      case '(' -> mark();
      case '0' -> discard(); // POP
      case '1' -> popMark(); // POP_MARK
      case '2' -> push(top()); // DUP

      case 'N' -> push(None.NONE);
      case 0x88 -> push(Bool.TRUE); // NEWTRUE
      case 0x89 -> push(Bool.FALSE); // NEWFALSE
      case 'I', 'L' -> make(in.integerLine()); // INT, LONG
      case 'J' -> make(new Int(in.int32())); // BININT
      case 'K' -> make(new Int(in.uint8())); // BININT1
      case 'M' -> make(new Int(in.uint16())); // BININT2
      case 0x8a -> make(in.integer(in.uint8())); // LONG1
      case 0x8b -> make(in.integer(in.int32())); // LONG4
      case 'F' -> make(in.realLine()); // FLOAT
      case 'G' -> make(in.real());

      case 'V' -> make(in.unicodeLine()); // UNICODE
      case 0x8c -> make(in.text(in.uint8())); // SHORT_BINUNICODE
      case 'X' -> make(in.text(in.uint32())); // BINUNICODE
      case 0x8d -> make(in.text(in.int64())); // BINUNICODE8
      case 'C' -> make(in.bytes(in.uint8())); // SHORT_BINBYTES
      case 'B' -> make(in.bytes(in.uint32())); // BINBYTES
      case 0x8e, 0x96 -> make(in.bytes(in.int64())); // BINBYTES8, BYTEARRAY8

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

      case 'p' -> remember(in.indexLine()); // PUT
      case 'q' -> remember(in.uint8()); // BINPUT
      case 'r' -> remember(in.uint32()); // LONG_BINPUT
      case 0x94 -> remember(memoSize); // MEMOIZE
      case 'g' -> push(recall(in.indexLine())); // GET
      case 'h' -> push(recall(in.uint8())); // BINGET
      case 'j' -> push(recall(in.uint32())); // LONG_BINGET

      case 'c' -> make(new Global(in.line(), in.line())); // GLOBAL
      case 0x93 -> stackGlobal();
      case 'R', 0x81 -> call(popLast(2), null); // REDUCE, NEWOBJ
      case 0x92 -> callWithKeywords(popLast(3)); // NEWOBJ_EX
      case 'b' -> build(popLast(1).getFirst()); // BUILD
      case 'P' -> persistent(new Text(in.line())); // PERSID
      case 'Q' -> persistent(pop()); // BINPERSID

      case 0x82, 0x83, 0x84 -> throw in.bad("no use of the extension registry", name(opcode));
      case 0x97, 0x98 -> throw in.bad("no out-of-band buffers", name(opcode));
      case 'S', 'T', 'U', 'i', 'o' -> throw in.bad("no pickle of Python 2", name(opcode));
      default -> throw in.bad("a pickle opcode", name(opcode));
    }
  }

  private void protocol(int version) {
    if (version > 5) {
      throw in.bad("a pickle protocol up to 5", version);
    }
  }

  // ---- stack and memo ----

  private void make(PickleValue value) {
    if (++objects > MAX_OBJECTS) {
      throw in.bad("at most %d objects".formatted(MAX_OBJECTS), "more");
    }
    stack.add(value);
  }

  private void push(PickleValue value) {
    stack.add(value);
  }

  private PickleValue top() {
    if (stack.size() <= floor()) {
      throw in.bad("a value on the stack", "none");
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
      throw in.bad("at most %d open marks".formatted(MAX_MARKS), "more");
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
      throw in.bad("a mark on the stack", "none");
    }
    List<PickleValue> values = take(marks[markCount - 1]);
    markCount--;
    return values;
  }

  private List<PickleValue> popLast(int count) {
    if (stack.size() - count < floor()) {
      throw in.bad("%d values on the stack".formatted(count), stack.size() - floor());
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
      throw in.bad("a memo index of at most " + in.position(), index);
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
      throw in.bad("a memo index that was set", index);
    }
    return value;
  }

  // ---- containers and objects ----

  private void append(List<PickleValue> values) {
    switch (top()) {
      case Sequence sequence when sequence.isMutable() -> sequence.addAll(values);
      case PickledObject object -> object.addAll(values);
      default -> throw in.bad("something that can be appended to", top());
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
      throw in.bad("a value for every key", keysAndValues.size() + " of both");
    }
    PickleValue target = top();
    for (int i = 0; i < keysAndValues.size(); i += 2) {
      PickleValue key = keysAndValues.get(i);
      PickleValue value = keysAndValues.get(i + 1);
      switch (target) {
        case Dict dict -> dict.put(key, value);
        case PickledObject object -> object.put(key, value);
        default -> throw in.bad("something whose items can be set", target);
      }
    }
  }

  private void stackGlobal() {
    List<PickleValue> names = popLast(2);
    if (names.get(0) instanceof Text(String module) && names.get(1) instanceof Text(String name)) {
      make(new Global(module, name));
    } else {
      throw in.bad("the names of a module and a class", names.get(0) + " and " + names.get(1));
    }
  }

  private void call(List<PickleValue> makerAndArguments, @Nullable Dict keywords) {
    if (makerAndArguments.get(1) instanceof Sequence arguments && arguments.kind() == Kind.TUPLE) {
      make(new PickledObject(makerAndArguments.get(0), arguments, keywords, in.opcodeAt()));
    } else {
      throw in.bad("a tuple of arguments", makerAndArguments.get(1));
    }
  }

  private void callWithKeywords(List<PickleValue> makerArgumentsKeywords) {
    if (makerArgumentsKeywords.get(2) instanceof Dict keywords) {
      call(makerArgumentsKeywords, keywords);
    } else {
      throw in.bad("a dict of keyword arguments", makerArgumentsKeywords.get(2));
    }
  }

  private void build(PickleValue state) {
    if (!(top() instanceof PickledObject object)) {
      throw in.bad("an object to give a state to", top());
    }
    if (!object.build(state)) {
      throw in.bad("one state per object", "a second one of " + object.type());
    }
  }

  private void persistent(PickleValue id) {
    PickleValue value = persistentIds.resolve(id);
    if (value == null) {
      throw in.bad("no reference to anything outside the file", "a persistent id");
    }
    make(value);
  }

  private static String name(int opcode) {
    return opcode > ' ' && opcode < 0x7f
        ? "opcode '%c'".formatted(opcode)
        : "opcode 0x%02x".formatted(opcode);
  }

  /// Resolves references to things outside the pickle, as in PyTorch's files.
  @FunctionalInterface
  public interface PersistentIds {

    /// Returns the value of `id`, or null to refuse the file.
    @Nullable PickleValue resolve(PickleValue id);
  }
}

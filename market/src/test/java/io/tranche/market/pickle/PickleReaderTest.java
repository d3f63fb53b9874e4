package io.tranche.market.pickle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.market.pickle.PickleReader.PersistentIds;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Real;
import io.tranche.market.pickle.PickleValue.Sequence;
import io.tranche.market.pickle.PickleValue.Text;
import io.tranche.testkit.Shared;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PickleReaderTest {

  @ParameterizedTest
  @ValueSource(strings = {"pandas15_plain_p4", "pandas15_plain_p5", "pandas3_plain_p5"})
  void readsPlainPythonValues(String name) {
    Path folder = Shared.root().resolve("market/src/test/resources/pickle");

    var plain = (Dict) PickleReader.read(folder.resolve(name + ".pkl"));

    assertThat(plain.entries().stream().map(entry -> ((Text) entry.getKey()).value()))
        .containsExactly("list", "tuple", "set", "frozen", "scalar", "stamp", "array");
    List<PickleValue> list = items(plain, "list");
    assertThat(list.subList(0, 2)).containsExactly(new Int(1), new Int(-1));
    assertThat(((PickleValue.BigInt) list.get(2)).value()).hasToString("1180591620717411303424");
    assertThat(list.subList(3, 7))
        .containsExactly(
            new Real(1.5), new Text("x"), new PickleValue.None(), new PickleValue.Bool(true));
    assertThat(((PickleValue.Bytes) list.get(7)).buffer())
        .isEqualTo(ByteBuffer.wrap(new byte[] {'y', 'z'}));
    assertThat(items(plain, "tuple").getFirst()).isEqualTo(new Int(1));
    assertThat(items(plain, "set")).containsExactly(new Int(1));
    assertThat(items(plain, "frozen")).containsExactly(new Int(2));
    assertThat(plain.get("scalar")).asString().endsWith("multiarray.scalar");
  }

  @Test
  void readsProtocolZero() {
    // pickle.dumps({'a': [1, 2.5, True, None, 'ü\u20ac']}, 0)
    var dict = (Dict) read("(dp0\nVa\np1\n(lp2\nI1\naF2.5\naI01\naNaV\u00fc\\u20ac\np3\nas.");

    assertThat(items(dict, "a"))
        .containsExactly(
            new Int(1),
            new Real(2.5),
            new PickleValue.Bool(true),
            new PickleValue.None(),
            new Text("ü€"));
  }

  @Test
  void recordsACallInsteadOfMakingIt(@TempDir Path folder) {
    Path canary = folder.resolve("canary");
    String command = "touch " + canary;
    String shell = "cos\nsystem\n(V" + command + "\ntR.";
    String eval = "c__builtin__\neval\n(V__import__('os').system('" + command + "')\ntR.";
    String nested = "cos\nsystem\n(cbuiltins\ngetattr\n(cos\nenviron\nVx\ntRtR.";

    for (String hostile : List.of(shell, eval, nested)) {
      var object = (PickledObject) read(hostile);

      assertThat(object.type()).isIn("os.system", "builtins.eval");
      assertThatThrownBy(() -> PickleFormat.read("hostile.pkl", bytes(hostile)))
          .isInstanceOf(DataException.class)
          .hasMessageContaining(object.type());
    }
    assertThat(Files.exists(canary)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "pandas.core.frame, DataFrame, cos|system|(Vtouch x|tR", // state made by a call
    "numpy.core.multiarray, _reconstruct, cbuiltins|exec|(Vx|tR",
    "pandas.core.internals.managers, BlockManager, cos|system|(Vx|tR",
    "pandas.io.pickle, read_pickle, Vhttp://x|"
  })
  void refusesGadgetsByTheNameOfTheirClass(String module, String name, String state) {
    String pickle = "c%s\n%s\n(t\u0081%sb.".formatted(module, name, state.replace('|', '\n'));

    assertThatThrownBy(() -> PickleFormat.read("hostile.pkl", bytes(pickle)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(module);
  }

  @Test
  void keepsSharedStructureSharedHoweverOftenItLaughs() {
    var bomb = new StringBuilder("\u0080\u0004(Vlol\n\u0094t\u0094");
    for (int level = 1; level < 60; level++) {
      bomb.append("(").append("h%c".formatted(level).repeat(10)).append("t\u0094");
    }
    String pickle = bomb.append(".").toString();

    assertThat(read(pickle)).isInstanceOf(Sequence.class);
    assertThatThrownBy(() -> PickleFormat.read("laughs.pkl", bytes(pickle)))
        .isInstanceOf(DataException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "B\u00ff\u00ff\u00ff\u007f.", // BINBYTES of 2 GiB
        "\u008e\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0080.", // BINBYTES8 of 2^63
        "\u0096\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u007f.", // BYTEARRAY8 of 2^63 - 1
        "\u008d\u0000\u0000\u0000\u0000\u0001\u0000\u0000\u0000.", // BINUNICODE8 of 4 GiB
        "\u008b\u00ff\u00ff\u00ff\u007f.", // LONG4 of 2 GiB
        "\u008b\u00ff\u00ff\u00ff\u00ff.", // LONG4 of -1
        "\u0095\u0000\u0000\u0000\u0000\u0000\u0000\u0000@.", // FRAME of 2^62
        "Nr\u00ff\u00ff\u00ff\u00ff.", // LONG_BINPUT at 2^32 - 1
        "Nj\u0000\u0000\u0000\u0001.", // LONG_BINGET of nothing
        "Np99999999999999999999\n.",
        "I9x\n.",
        "F1e\n.",
        "\u0080\u0006N.", // protocol 6
        "P1\n.",
        "NQ.", // BINPERSID
        "\u0082\u0001.", // EXT1
        "\u0097.", // NEXT_BUFFER
        "\u0093.",
        "NN\u0093.",
        "(.",
        ".",
        "",
        "N",
        "NN.N",
        "t.",
        "NR.",
        "NNb.",
        "Na.",
        "}(Nu.",
        "NNa.",
        ")Na.",
        "\u008c\u0001\u00ff.", // no UTF-8
        "V\\ud8\n.",
        "V\\U7fffffff\n.",
        "S'x'\n.",
        "\u00ff"
      })
  void refusesDamageWithFileAndOffset(String pickle) {
    assertThatThrownBy(() -> read(pickle))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("test.pkl: byte ");
  }

  @Test
  void boundsTheNumberOfObjectsAndMarks() {
    assertThatThrownBy(() -> read("]".repeat(3_000_001) + "."))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("at most 3000000 objects");
    assertThatThrownBy(() -> read("(".repeat(20_000) + "."))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("open marks");
  }

  @Test
  void asksTheHookForPersistentIds() {
    PersistentIds ids = id -> id.equals(new Text("weights")) ? new Int(7) : null;

    assertThat(PickleReader.read("t.pth", bytes("Vweights\nQ."), ids)).isEqualTo(new Int(7));
    assertThatThrownBy(() -> PickleReader.read("t.pth", bytes("Vother\nQ."), ids))
        .isInstanceOf(DataException.class);
  }

  private static List<PickleValue> items(Dict dict, String key) {
    return ((Sequence) java.util.Objects.requireNonNull(dict.get(key))).items();
  }

  private static ByteBuffer bytes(String latin) {
    return ByteBuffer.wrap(latin.getBytes(ISO_8859_1));
  }

  private static PickleValue read(String latin) {
    return PickleReader.read("test.pkl", bytes(latin), _ -> null);
  }
}

package io.tranche.policy.weights;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/// Writes zip files like `torch.save`: uncompressed, with the contents of every entry at a multiple
/// of 64 bytes so that torch can map them. Equal values give equal bytes.
final class TorchArchiveWriter {

  private static final String FOLDER = "archive/";
  private static final int ALIGNMENT = 64;
  private static final int LOCAL_HEADER_BYTES = 30;

  /// A fixed time. Not 1 January, which in zip means "before 1980": Java would add an extra field
  /// with the time in this machine's time zone.
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

  private final ZipOutputStream zip;
  private long position;

  private TorchArchiveWriter(ZipOutputStream zip) {
    this.zip = zip;
  }

  static void write(Path file, @Nullable Object value) {
    Map<Tensor, Integer> numbers = new HashMap<>(); // by identity: tensors have no equals
    List<Tensor> storages = new ArrayList<>();
    byte[] pickle =
        PickleWriter.pickle(
            value,
            tensor ->
                numbers.computeIfAbsent(
                    tensor,
                    added -> {
                      storages.add(added);
                      return storages.size() - 1;
                    }));
    try (var pending = PendingFile.beside(file)) {
      try (var out = new BufferedOutputStream(Files.newOutputStream(pending.path()));
          var zip = new ZipOutputStream(out)) {
        var writer = new TorchArchiveWriter(zip);
        writer.entry("data.pkl", pickle);
        writer.entry("byteorder", "little".getBytes(US_ASCII));
        for (int i = 0; i < storages.size(); i++) {
          writer.entry("data/" + i, storages.get(i).littleEndian());
        }
        writer.entry("version", "3\n".getBytes(US_ASCII));
      }
      pending.commit();
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  private void entry(String name, byte[] contents) throws IOException {
    var entry = new ZipEntry(FOLDER + name);
    byte[] padding = padding(entry.getName().length());
    var checksum = new CRC32();
    checksum.update(contents);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(contents.length);
    entry.setCompressedSize(contents.length);
    entry.setCrc(checksum.getValue());
    entry.setTimeLocal(TIME);
    entry.setExtra(padding);
    zip.putNextEntry(entry);
    zip.write(contents);
    zip.closeEntry();
    position += LOCAL_HEADER_BYTES + entry.getName().length() + padding.length + contents.length;
  }

  /// Returns an extra field, torch's "FB", that pads up to the start of the contents.
  private byte[] padding(int nameLength) {
    int fieldHeader = 4;
    long unpadded = position + LOCAL_HEADER_BYTES + nameLength + fieldHeader;
    int fill = (int) Math.floorMod(-unpadded, (long) ALIGNMENT);
    return ByteBuffer.allocate(fieldHeader + fill)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 'F')
        .put((byte) 'B')
        .putShort((short) fill)
        .array();
  }
}

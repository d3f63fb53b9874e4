package io.tranche.policy.weights;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// The zip file that `torch.save` writes, open for reading: one folder with `data.pkl`, a file for
/// each storage under `data/`, and `byteorder`.
///
/// Sizes are checked against the file's size before anything is allocated, and checksums against
/// contents.
final class TorchArchive implements AutoCloseable {

  /// Torch stores without compression, and compressing a file afterwards saves about a tenth. A
  /// higher ratio than this is a zip bomb.
  private static final int MAX_INFLATION = 64;

  private static final byte[] ZIP_MAGIC = {'P', 'K', 3, 4};

  private final Path file;
  private final ZipFile zip;
  private final Map<String, ZipEntry> entries;
  private final String folder;

  private TorchArchive(Path file, ZipFile zip, Map<String, ZipEntry> entries, String folder) {
    this.file = file;
    this.zip = zip;
    this.entries = entries;
    this.folder = folder;
  }

  static TorchArchive open(Path file) throws IOException {
    if (!isZip(file)) {
      throw new CheckpointException(
          file.toString(),
          "a zip file written by torch.save",
          "another format; load and save a file from before PyTorch 1.6 with a newer version");
    }
    var zip = new ZipFile(file.toFile());
    try {
      Map<String, ZipEntry> entries = entries(file, zip);
      return new TorchArchive(file, zip, entries, folder(file, entries));
    } catch (RuntimeException | IOException e) {
      zip.close();
      throw e;
    }
  }

  static boolean isZip(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return ByteBuffer.wrap(in.readNBytes(ZIP_MAGIC.length)).equals(ByteBuffer.wrap(ZIP_MAGIC));
    }
  }

  private static Map<String, ZipEntry> entries(Path file, ZipFile zip) throws IOException {
    long left = Math.multiplyExact(Files.size(file), MAX_INFLATION);
    var entries = new HashMap<String, ZipEntry>();
    for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
      if (entries.put(entry.getName(), entry) != null) {
        throw new CheckpointException(file.toString(), "distinct entry names", entry.getName());
      }
      left -= Math.max(entry.getSize(), 0);
      if (left < 0) {
        throw new CheckpointException(
            file.toString(),
            "contents of at most %d times the file's size".formatted(MAX_INFLATION),
            "more");
      }
    }
    return entries;
  }

  /// The folder may have any name: torch uses the name of the file.
  private static String folder(Path file, Map<String, ZipEntry> entries) {
    List<String> pickles =
        entries.keySet().stream().filter(name -> name.matches("[^/]+/data\\.pkl")).toList();
    if (pickles.size() != 1) {
      throw new CheckpointException(
          file.toString(), "one data.pkl in one folder, as torch.save writes", pickles);
    }
    String pickle = pickles.getFirst();
    return pickle.substring(0, pickle.length() - "data.pkl".length());
  }

  /// Returns the name of an entry in error messages.
  String where(String name) {
    return file + ": " + name;
  }

  /// Returns the byte order of storages: little-endian in files from before PyTorch 2.1.
  ByteOrder order() throws IOException {
    ByteBuffer entry = find("byteorder");
    String order = entry == null ? "little" : US_ASCII.decode(entry).toString();
    return switch (order) {
      case "little" -> ByteOrder.LITTLE_ENDIAN;
      case "big" -> ByteOrder.BIG_ENDIAN;
      default -> throw new CheckpointException(where("byteorder"), "little or big", order);
    };
  }

  ByteBuffer contents(String name) throws IOException {
    ByteBuffer contents = find(name);
    if (contents == null) {
      throw new CheckpointException(file.toString(), "an entry " + name, "none");
    }
    return contents;
  }

  private @Nullable ByteBuffer find(String name) throws IOException {
    ZipEntry entry = entries.get(folder + name);
    if (entry == null) {
      return null;
    }
    long size = entry.getSize();
    if (size < 0
        || size > Integer.MAX_VALUE - 8
        || (entry.getMethod() == ZipEntry.STORED && size > Files.size(file))) {
      throw new CheckpointException(where(name), "a size within that of the file", size);
    }
    try (InputStream in = zip.getInputStream(entry)) {
      // Allocates as bytes arrive, not as much as the header claims.
      byte[] bytes = in.readNBytes((int) size);
      var checksum = new CRC32();
      checksum.update(bytes);
      if (bytes.length != size || in.read() >= 0 || checksum.getValue() != entry.getCrc()) {
        throw new CheckpointException(
            where(name), "%d bytes that match their checksum".formatted(size), "damaged");
      }
      return ByteBuffer.wrap(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}

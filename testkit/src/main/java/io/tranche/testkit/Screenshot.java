package io.tranche.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/// A picture of a page, for the documents. The file says which texts it shows: pixels differ
/// between machines, texts do not.
public final class Screenshot {

  /// Defines `screenshot(page, last, file)` for programs that drive a browser: a picture down to
  /// the end of what the selector `last` finds.
  public static final String PYTHON =
      """
      def screenshot(page, last, file):
          import struct
          import zlib

          bottom = page.evaluate(
              "last => Math.ceil(scrollY + Math.max(...[...document.querySelectorAll(last)].map(each =>"
              " each.getBoundingClientRect().bottom))) + 16", last)
          texts = page.evaluate('''bottom => {
            const seen = [], nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
              const range = document.createRange();
              range.selectNodeContents(node);
              const box = range.getBoundingClientRect();
              if (box.width > 1 && box.right > 0 && box.bottom > 0 && box.bottom + scrollY < bottom && node.textContent.trim())
                seen.push(node.textContent.trim().replace(/\\\\s+/g, ' '));
            }
            return seen.join('\\\\n');
          }''', bottom)
          clip = {"x": 0, "y": 0, "width": page.viewport_size["width"], "height": bottom}
          png = page.screenshot(full_page=True, clip=clip)
          chunk = b"iTXtDescription" + bytes(5) + texts.encode()
          header = 8 + 25  # the signature, and the size of the picture
          with open(file, "wb") as out:
              out.write(png[:header] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + png[header:])


      """;

  private static final int SIGNATURE = 8;
  private static final String DESCRIPTION = "iTXtDescription\0\0\0\0\0";

  private Screenshot() {}

  /// Returns the texts that a picture shows; nothing if it was made in another way.
  public static String texts(Path png) throws IOException {
    ByteBuffer chunks = ByteBuffer.wrap(Files.readAllBytes(png)).position(SIGNATURE);
    while (chunks.hasRemaining()) {
      var chunk = new byte[chunks.getInt() + 4];
      chunks.get(chunk).getInt(); // the checksum
      String text = new String(chunk, UTF_8);
      if (text.startsWith(DESCRIPTION)) {
        return text.substring(DESCRIPTION.length());
      }
    }
    return "";
  }
}

package io.tranche.site;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomNode;
import org.jspecify.annotations.Nullable;

/// The terms that the glossary explains.
final class Glossary {

  /// @param id the anchor of its row
  record Term(String name, String meaning, String id) {}

  private final Map<String, Term> terms = new LinkedHashMap<>();

  private Glossary() {}

  /// Reads the tables of a glossary: the first column has the term, and other words for it after
  /// commas; the second says what it means.
  static Glossary of(SitePage page) {
    var glossary = new Glossary();
    page.document()
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(CustomNode node) {
                if (node instanceof TableRow row) {
                  glossary.add(row);
                }
                super.visit(node);
              }
            });
    return glossary;
  }

  private void add(TableRow row) {
    if (row.getFirstChild() instanceof TableCell first
        && !first.isHeader()
        && first.getNext() instanceof TableCell second) {
      Arrays.stream(SitePage.textOf(first).split("[,，、] ?"))
          .forEach(name -> terms.put(key(name), new Term(name, SitePage.textOf(second), id(row))));
    }
  }

  /// Returns the anchor of a row.
  static String id(TableRow row) {
    String name =
        row.getFirstChild() == null
            ? ""
            : SitePage.textOf(row.getFirstChild()).split("[,，、]", -1)[0];
    return "term-" + name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", "-");
  }

  private static String key(String name) {
    return name.strip().toLowerCase(Locale.ROOT);
  }

  /// Returns what a word means; null if it is not explained. Plurals are found too.
  @Nullable Term find(String word) {
    String key = key(word);
    Term term = terms.get(key);
    return term != null || !key.endsWith("s")
        ? term
        : terms.get(key.substring(0, key.length() - 1));
  }

  Iterable<Term> all() {
    return terms.values();
  }
}

package io.tranche.analysis.report;

import java.util.ArrayList;
import java.util.List;

/// A part of a report, in any form.
///
/// @param id for links
/// @param note what it means, in a sentence or two; may be empty
record Section(String id, String title, String note, List<Panel> panels) {

  Section {
    panels = List.copyOf(panels);
  }

  /// Returns a section of one panel without a heading.
  static Section of(String id, String title, String note, Block... blocks) {
    return new Section(id, title, note, List.of(Panel.of("", blocks)));
  }

  /// Blocks that belong side by side.
  ///
  /// @param heading may be empty
  record Panel(String heading, List<Block> blocks) {

    Panel {
      blocks = List.copyOf(blocks);
    }

    static Panel of(String heading, Block... blocks) {
      return new Panel(heading, List.of(blocks));
    }
  }

  /// The contents of a panel. All texts are plain: each form escapes them.
  sealed interface Block {

    record Table(List<Column> columns, List<List<String>> rows) implements Block {

      public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
      }
    }

    /// A few numbers to remember.
    record Facts(List<Fact> facts) implements Block {

      public Facts {
        facts = List.copyOf(facts);
      }
    }

    record Items(List<String> texts) implements Block {

      public Items {
        texts = List.copyOf(texts);
      }
    }

    /// Text to be shown as it is, folded away.
    record Source(String summary, String text) implements Block {}

    /// @param caption what is drawn, with units
    record Figure(String caption, Chart chart) implements Block {}
  }

  record Fact(String name, String value, String detail) {}

  record Column(String name, boolean isNumber) {

    /// Returns a column of texts and columns of numbers.
    static List<Column> named(String first, String... numbers) {
      var columns = new ArrayList<Column>();
      columns.add(new Column(first, false));
      columns.addAll(numbers(numbers));
      return columns;
    }

    static List<Column> numbers(String... names) {
      return List.of(names).stream().map(name -> new Column(name, true)).toList();
    }

    static List<Column> texts(String... names) {
      return List.of(names).stream().map(name -> new Column(name, false)).toList();
    }
  }
}

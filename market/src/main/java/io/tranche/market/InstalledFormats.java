package io.tranche.market;

import java.util.List;
import java.util.ServiceLoader;

/// The table formats on the module or class path, loaded once: a format may hold what is dear to
/// make, such as a database.
final class InstalledFormats {

  static final List<TableFormat> ALL =
      ServiceLoader.load(TableFormat.class).stream().map(ServiceLoader.Provider::get).toList();

  private InstalledFormats() {}
}

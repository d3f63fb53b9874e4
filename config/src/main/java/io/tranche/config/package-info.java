/// Reads YAML and `_base_` files, checks values with errors that name their dotted path, and holds
/// the catalog of names.
@NullMarked
package io.tranche.config;

import org.jspecify.annotations.NullMarked;

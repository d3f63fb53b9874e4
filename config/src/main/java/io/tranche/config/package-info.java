/// YAML to a tree, `_base_` files, a binder whose errors know their dotted path, and the catalog of
/// names.
@NullMarked
package io.tranche.config;

import org.jspecify.annotations.NullMarked;

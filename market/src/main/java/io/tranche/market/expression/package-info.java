/// Qlib's expression language: text to a tree, and the tree to values with pandas' semantics.
@NullMarked
package io.tranche.market.expression;

import org.jspecify.annotations.NullMarked;

/// The verbs that work with an exported model: `export`, `inspect`, `decide` and `serve`.
@NullMarked
package io.tranche.cli.model;

import org.jspecify.annotations.NullMarked;

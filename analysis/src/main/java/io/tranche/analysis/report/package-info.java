/// Reports of results, as pages for people and files for programs.
@NullMarked
package io.tranche.analysis.report;

import org.jspecify.annotations.NullMarked;

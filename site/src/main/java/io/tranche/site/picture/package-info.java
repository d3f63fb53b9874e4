/// The pictures of the concept pages, drawn as SVG that is readable on light and dark paper.
@NullMarked
package io.tranche.site.picture;

import org.jspecify.annotations.NullMarked;

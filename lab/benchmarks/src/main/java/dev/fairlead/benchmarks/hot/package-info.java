/** The way of a call in small pieces, measured by JMH. */
@NullMarked
package dev.fairlead.benchmarks.hot;

import org.jspecify.annotations.NullMarked;

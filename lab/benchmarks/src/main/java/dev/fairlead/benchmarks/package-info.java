/** Processes, figures and tables that the benchmarks and the soak share. */
@NullMarked
package dev.fairlead.benchmarks;

import org.jspecify.annotations.NullMarked;

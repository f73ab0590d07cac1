/** What tasks cost: each question a class, run by {@link dev.fairlead.benchmarks.Benchmarks}. */
@NullMarked
package dev.fairlead.benchmarks;

import org.jspecify.annotations.NullMarked;

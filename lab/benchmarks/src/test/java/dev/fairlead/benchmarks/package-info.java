@NullMarked
package dev.fairlead.benchmarks;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.fairlead.benchmarks.soak;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.fairlead.benchmarks.http;

import org.jspecify.annotations.NullMarked;

/** Runnable examples. */
@NullMarked
package dev.fairlead.examples;

import org.jspecify.annotations.NullMarked;

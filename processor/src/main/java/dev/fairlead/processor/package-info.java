/** Turns annotated methods into declarations of features, at compile time. */
@NullMarked
package dev.fairlead.processor;

import org.jspecify.annotations.NullMarked;

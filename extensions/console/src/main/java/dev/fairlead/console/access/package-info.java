/** The people who may use the console. */
@NullMarked
package dev.fairlead.console.access;

import org.jspecify.annotations.NullMarked;

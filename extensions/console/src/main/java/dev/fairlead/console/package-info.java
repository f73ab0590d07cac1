/** The console of a server: {@link dev.fairlead.console.Console}. */
@NullMarked
package dev.fairlead.console;

import org.jspecify.annotations.NullMarked;

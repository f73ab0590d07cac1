/** The newline-framed transport over standard streams, and the launcher of child processes. */
@NullMarked
package dev.fairlead.stdio;

import org.jspecify.annotations.NullMarked;

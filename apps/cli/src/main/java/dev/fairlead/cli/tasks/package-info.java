/** Waiting for tasks of a server: the display meanwhile, and the meaning of Ctrl-C. */
@NullMarked
package dev.fairlead.cli.tasks;

import org.jspecify.annotations.NullMarked;

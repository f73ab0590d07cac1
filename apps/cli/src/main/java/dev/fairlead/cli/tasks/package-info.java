/** Waiting for tasks of a server: what people see meanwhile, and what Ctrl-C means. */
@NullMarked
package dev.fairlead.cli.tasks;

import org.jspecify.annotations.NullMarked;

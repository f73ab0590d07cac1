/** The engine that runs tasks, for servers and clients. */
@NullMarked
package dev.fairlead.tasks.engine;

import org.jspecify.annotations.NullMarked;

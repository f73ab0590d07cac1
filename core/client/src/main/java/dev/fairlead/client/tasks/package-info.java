/** Tasks that a client starts at its server. */
@NullMarked
package dev.fairlead.client.tasks;

import org.jspecify.annotations.NullMarked;

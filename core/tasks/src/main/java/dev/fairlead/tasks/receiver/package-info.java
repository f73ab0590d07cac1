/**
 * The methods of the side that runs tasks: the four {@code tasks/*} methods and the messages of
 * tasks, for servers and clients alike. Connects the engine, which is independent of the wire, with
 * the records of the protocol.
 */
@NullMarked
package dev.fairlead.tasks.receiver;

import org.jspecify.annotations.NullMarked;

/**
 * Watches tasks that this side started at its peer, fetches their outcomes and passes on changes.
 * Works on the records of the wire, without sessions; the same for the client, whose tools become
 * tasks, and for the server, whose questions do.
 *
 * <p>{@link dev.fairlead.tasks.requestor.RemoteTasks} has the tasks of one peer, each of which is a
 * {@link dev.fairlead.tasks.requestor.RemoteTask} and watched by one virtual thread until it has
 * ended. That thread asks {@code tasks/get} again and again, by the latest {@code pollInterval};
 * but while a caller waits for the task, or the task for an answer of this side, it waits in {@code
 * tasks/result} instead, where questions come, and does not poll. Notifications at most make it ask
 * earlier.
 */
@NullMarked
package dev.fairlead.tasks.requestor;

import org.jspecify.annotations.NullMarked;

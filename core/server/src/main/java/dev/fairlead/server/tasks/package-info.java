/** Calls that run as tasks, and the client that a task belongs to. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.tasks;

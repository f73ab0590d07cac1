/** Tests of what goes to the side that asked for a task. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.tasks.receiver;

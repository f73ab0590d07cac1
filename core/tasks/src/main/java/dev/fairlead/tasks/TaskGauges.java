package dev.fairlead.tasks;

/**
 * The number of runs and callers on a node at one moment.
 *
 * @param running handlers that are alive, those that wait included
 * @param waitingForInput handlers that wait for an answer
 * @param waitingCallers callers that wait for a task to end
 */
public record TaskGauges(int running, int waitingForInput, int waitingCallers) {}

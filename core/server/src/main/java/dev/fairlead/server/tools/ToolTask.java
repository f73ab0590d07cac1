package dev.fairlead.server.tools;

import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.handler.JobPoll;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The settings of a tool that runs as a task.
 *
 * @param later whether it becomes a task when its handler decides so, where the choice is the
 *     server's
 * @param rerunnable whether it runs again after the process that ran it died
 * @param immediateResponse the text that the model receives meanwhile; null for none
 * @param pollEvery how often to look after the outside job of a parked task; null for never
 * @param poll looks after it; null for none
 */
public record ToolTask(
        TaskSupport support,
        boolean later,
        boolean rerunnable,
        @Nullable String immediateResponse,
        @Nullable Duration pollEvery,
        @Nullable JobPoll<?> poll) {}

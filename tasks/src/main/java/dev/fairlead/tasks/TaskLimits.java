package dev.fairlead.tasks;

import dev.fairlead.protocol.engine.ChangedLimits;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** What bounds tasks; each is documented at the word of {@link Tasks} that sets it. */
public record TaskLimits(
        Duration defaultTtl,
        Duration maxTtl,
        Duration anonymousTtl,
        Duration pollInterval,
        Duration retention,
        int maxPerOwner,
        int maxRunning,
        int maxResultBytes,
        int maxOpenQuestions,
        int maxQuestionBytes,
        int maxValueBytes,
        int pageSize,
        int operationsPerSecond,
        int failedLookups,
        int pollsPerMinute) {
    /** The limits that differ from these. */
    Map<String, String> changedFrom(TaskLimits defaults) {
        return ChangedLimits.of(MethodHandles.lookup(), this, defaults);
    }

    /** The same limits, but for what is changed. */
    TaskLimits with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.limits();
    }

    /** Limits that are being changed. */
    static final class Draft {
        Duration defaultTtl;
        Duration maxTtl;
        Duration anonymousTtl;
        Duration pollInterval;
        Duration retention;
        int maxPerOwner;
        int maxRunning;
        int maxResultBytes;
        int maxOpenQuestions;
        int maxQuestionBytes;
        int maxValueBytes;
        int pageSize;
        int operationsPerSecond;
        int failedLookups;
        int pollsPerMinute;

        private Draft(TaskLimits limits) {
            defaultTtl = limits.defaultTtl;
            maxTtl = limits.maxTtl;
            anonymousTtl = limits.anonymousTtl;
            pollInterval = limits.pollInterval;
            retention = limits.retention;
            maxPerOwner = limits.maxPerOwner;
            maxRunning = limits.maxRunning;
            maxResultBytes = limits.maxResultBytes;
            maxOpenQuestions = limits.maxOpenQuestions;
            maxQuestionBytes = limits.maxQuestionBytes;
            maxValueBytes = limits.maxValueBytes;
            pageSize = limits.pageSize;
            operationsPerSecond = limits.operationsPerSecond;
            failedLookups = limits.failedLookups;
            pollsPerMinute = limits.pollsPerMinute;
        }

        private TaskLimits limits() {
            return new TaskLimits(
                    defaultTtl,
                    maxTtl,
                    anonymousTtl,
                    pollInterval,
                    retention,
                    maxPerOwner,
                    maxRunning,
                    maxResultBytes,
                    maxOpenQuestions,
                    maxQuestionBytes,
                    maxValueBytes,
                    pageSize,
                    operationsPerSecond,
                    failedLookups,
                    pollsPerMinute);
        }
    }
}

package dev.fairlead.tasks;

import dev.fairlead.protocol.engine.ChangedLimits;
import dev.fairlead.protocol.options.CopyOnChange;

import java.time.Duration;
import java.util.Map;

/** Limits of tasks; each is documented at the method of {@link Tasks} that sets it. */
public final class TaskLimits extends CopyOnChange<TaskLimits> {
    Duration defaultTtl = Duration.ofHours(1);
    Duration maxTtl = Duration.ofDays(1);
    Duration anonymousTtl = Duration.ofHours(1);
    Duration pollInterval = Duration.ofSeconds(1);
    Duration retention = Duration.ofMinutes(5);
    int maxPerOwner = 100;
    boolean loopbackTasks;
    int maxRunning = 1_000;
    int maxResultBytes = 4 << 20;
    int maxOpenQuestions = 16;
    int maxQuestionBytes = 4 << 20;
    int maxValueBytes = 1 << 20;
    int pageSize = 50;
    int operationsPerSecond = 100;
    boolean loopbackOperations;
    int failedLookups = 20;
    int pollsPerMinute = 1_200;

    TaskLimits() {}

    /** Returns the limits that differ from their defaults. */
    Map<String, String> changed() {
        TaskLimits defaults = new TaskLimits();
        return new ChangedLimits()
                .add("defaultTtl", defaultTtl, defaults.defaultTtl)
                .add("maxTtl", maxTtl, defaults.maxTtl)
                .add("anonymousTtl", anonymousTtl, defaults.anonymousTtl)
                .add("pollInterval", pollInterval, defaults.pollInterval)
                .add("retention", retention, defaults.retention)
                .add("maxPerOwner", maxPerOwner, defaults.maxPerOwner)
                .add("maxRunning", maxRunning, defaults.maxRunning)
                .add("maxResultBytes", maxResultBytes, defaults.maxResultBytes)
                .add("maxOpenQuestions", maxOpenQuestions, defaults.maxOpenQuestions)
                .add("maxQuestionBytes", maxQuestionBytes, defaults.maxQuestionBytes)
                .add("maxValueBytes", maxValueBytes, defaults.maxValueBytes)
                .add("pageSize", pageSize, defaults.pageSize)
                .add("operationsPerSecond", operationsPerSecond, defaults.operationsPerSecond)
                .add("failedLookups", failedLookups, defaults.failedLookups)
                .add("pollsPerMinute", pollsPerMinute, defaults.pollsPerMinute)
                .toMap();
    }

    public Duration defaultTtl() {
        return defaultTtl;
    }

    public Duration maxTtl() {
        return maxTtl;
    }

    public Duration anonymousTtl() {
        return anonymousTtl;
    }

    public Duration pollInterval() {
        return pollInterval;
    }

    public Duration retention() {
        return retention;
    }

    public int maxPerOwner() {
        return maxPerOwner;
    }

    /** Returns whether {@link #maxPerOwner} also holds for owners on the loopback interface. */
    public boolean loopbackTasks() {
        return loopbackTasks;
    }

    public int maxRunning() {
        return maxRunning;
    }

    public int maxResultBytes() {
        return maxResultBytes;
    }

    public int maxOpenQuestions() {
        return maxOpenQuestions;
    }

    public int maxQuestionBytes() {
        return maxQuestionBytes;
    }

    public int maxValueBytes() {
        return maxValueBytes;
    }

    public int pageSize() {
        return pageSize;
    }

    public int operationsPerSecond() {
        return operationsPerSecond;
    }

    /**
     * Returns whether {@link #operationsPerSecond} also holds for owners on the loopback interface.
     */
    public boolean loopbackOperations() {
        return loopbackOperations;
    }

    public int failedLookups() {
        return failedLookups;
    }

    public int pollsPerMinute() {
        return pollsPerMinute;
    }
}

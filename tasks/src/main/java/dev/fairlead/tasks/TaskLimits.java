package dev.fairlead.tasks;

import java.time.Duration;

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
        int pageSize,
        int operationsPerSecond,
        int failedLookups,
        int pollsPerMinute) {
    TaskLimits withDefaultTtl(Duration defaultTtl) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withMaxTtl(Duration maxTtl) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withAnonymousTtl(Duration anonymousTtl) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withPollInterval(Duration pollInterval) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withRetention(Duration retention) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withMaxPerOwner(int maxPerOwner) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withMaxRunning(int maxRunning) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withMaxResultBytes(int maxResultBytes) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withPageSize(int pageSize) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withOperationsPerSecond(int operationsPerSecond) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }

    TaskLimits withSuspicion(int failedLookups, int pollsPerMinute) {
        return new TaskLimits(
                defaultTtl,
                maxTtl,
                anonymousTtl,
                pollInterval,
                retention,
                maxPerOwner,
                maxRunning,
                maxResultBytes,
                pageSize,
                operationsPerSecond,
                failedLookups,
                pollsPerMinute);
    }
}

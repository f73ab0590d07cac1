package dev.fairlead.cli.view;

import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskStatus;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * The data of a task, seen at some time. The clock of the server may be another one, so spans are
 * never below zero.
 */
record TaskFacts(Task task, Instant now) {

    /** The status in words for people, such as {@code input required}. */
    static String words(TaskStatus status) {
        return status.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns how a status, in words, stands out. */
    static Style style(String words) {
        return switch (words) {
            case "completed" -> Style.GREEN;
            case "failed" -> Style.RED;
            case "input required" -> Style.YELLOW;
            case "working" -> Style.CYAN;
            default -> Style.DIM;
        };
    }

    /** Returns how long ago it was created. */
    Duration age() {
        Duration age = Duration.between(task.createdAt(), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** Returns how long it is kept yet; empty where that is for ever. */
    Optional<Duration> left() {
        Long ttl = task.ttl();
        if (ttl == null) {
            return Optional.empty();
        }
        Duration left = Duration.ofMillis(ttl).minus(age());
        return Optional.of(left.isNegative() ? Duration.ZERO : left);
    }
}

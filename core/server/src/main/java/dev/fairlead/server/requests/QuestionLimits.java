package dev.fairlead.server.requests;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The limits of waits for answers.
 *
 * @param request for answers of a program
 * @param question for answers of a person
 * @param maximum the limit that progress does not extend; null: as long as without progress
 */
public record QuestionLimits(Duration request, Duration question, @Nullable Duration maximum) {}

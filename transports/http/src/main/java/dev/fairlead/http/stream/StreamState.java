package dev.fairlead.http.stream;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Whether an {@link EventStream} has a connection, and where that one gets its events from. */
sealed interface StreamState {
    /**
     * A connection is about to be made: the first, or that of a client that resumes.
     *
     * @param complete whether the buffer holds all that it is to get
     */
    record Opening(boolean complete) implements StreamState {}

    /** The buffer holds all that the connection has yet to get. */
    record Open(StreamWriter connection) implements StreamState {}

    /** The connection reads the next events from the store; without a store it has to end. */
    record Replaying(StreamWriter connection) implements StreamState {}

    /**
     * The connection is lost, or could not be made; the client may resume the stream.
     *
     * @param since when that was first noticed; null if not yet
     * @param nextCheck when to ask the store next whether it still has the events that the client
     *     missed
     */
    record Detached(@Nullable Instant since, Instant nextCheck) implements StreamState {
        static final Detached JUST_NOW = new Detached(null, Instant.MIN);
    }

    /** The client is not expected to resume the stream. If it does, it gets the kept events. */
    record GivenUp() implements StreamState {}

    /** The connection; null if there is none. */
    default @Nullable StreamWriter writer() {
        return switch (this) {
            case Open open -> open.connection();
            case Replaying replaying -> replaying.connection();
            case Opening opening -> null;
            case Detached detached -> null;
            case GivenUp givenUp -> null;
        };
    }

    /** Returns whether new events go to the buffer. */
    default boolean isLive() {
        return this instanceof Open || (this instanceof Opening opening && opening.complete());
    }

    /** Returns whether there was a connection, or none could be made, and there is none now. */
    default boolean isLeft() {
        return this instanceof Detached || this instanceof GivenUp;
    }
}

package dev.fairlead.http.client;

import java.time.Duration;

/**
 * How long a connection waits for a slow server where no caller waits any more.
 *
 * @param acknowledgement until the server has accepted a message without an answer, such as a
 *     notification
 * @param flush when it is closed: until the queued messages have been sent
 * @param farewell when it is closed: until the deletion of the session is answered
 * @param linger how long a stream may stay open after the response or the cancellation; when the
 *     server ends it, its connection can be used again
 */
record GracePeriods(Duration acknowledgement, Duration flush, Duration farewell, Duration linger) {
    static final GracePeriods DEFAULT =
            new GracePeriods(
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(2));
}

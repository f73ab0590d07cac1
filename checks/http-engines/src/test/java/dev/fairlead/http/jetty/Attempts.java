package dev.fairlead.http.jetty;

import static dev.fairlead.test.support.Awaiting.await;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Repeats steps that a slow machine can fail, since a server under test has short timeouts. */
final class Attempts {
    private Attempts() {}

    /** Repeats an attempt while it is empty or the server ends its connection. */
    static <T> T inTime(Callable<Optional<T>> attempt) {
        return await().ignoreExceptionsInstanceOf(IOException.class)
                .until(attempt, Optional::isPresent)
                .orElseThrow();
    }
}

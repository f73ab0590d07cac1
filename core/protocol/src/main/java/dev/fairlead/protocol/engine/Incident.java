package dev.fairlead.protocol.engine;

import dev.fairlead.protocol.time.LimitedLog;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A failure of which the peer receives only a reference to the log. The same failure at the same
 * place of the code has the same reference as long as the process runs: a peer that repeats it
 * fills no log, and each reference is in the log.
 */
public final class Incident {
    private static final System.Logger LOGGER = System.getLogger(Incident.class.getName());

    /** The number of frames of a stack that identify a place. */
    private static final int FRAMES = 8;

    /** A secret that keeps a peer from computing which failure has a reference. */
    private static final int SALT = ThreadLocalRandom.current().nextInt();

    private Incident() {}

    /**
     * Logs a failure with its stack, {@linkplain LimitedLog once a minute}, and returns the text
     * for the peer.
     */
    public static String log(String what, Throwable cause) {
        String reference = Integer.toHexString(place(cause));
        LimitedLog.failed(
                LOGGER, Level.ERROR, reference, cause, "{0}, reference {1}", what, reference);
        return "Internal error, reference " + reference;
    }

    private static int place(Throwable cause) {
        int frames = Arrays.stream(cause.getStackTrace()).limit(FRAMES).toList().hashCode();
        return Objects.hash(SALT, cause.getClass().getName(), frames) * 0x9E3779B1;
    }
}

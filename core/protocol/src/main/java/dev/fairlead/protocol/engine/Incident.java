package dev.fairlead.protocol.engine;

import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadLocalRandom;

/** A failure of which the peer receives only a reference to the log. */
public final class Incident {
    private static final System.Logger LOGGER = System.getLogger(Incident.class.getName());

    private Incident() {}

    /** Logs a failure with its stack and returns the text for the peer. */
    public static String log(String what, Throwable cause) {
        String reference = Integer.toHexString(ThreadLocalRandom.current().nextInt());
        LOGGER.log(Level.ERROR, what + ", reference " + reference, cause);
        return "Internal error, reference " + reference;
    }
}

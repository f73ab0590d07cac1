package dev.fairlead.showcase;

import java.util.logging.LogManager;

/**
 * Keeps its handlers while the JVM shuts down, so that a server that a shutdown hook closes logs
 * its end. Found by its name, see {@link Logging}.
 */
public final class LastingLogManager extends LogManager {
    /** {@inheritDoc} Does nothing: the shutdown of the JVM calls it, beside other hooks. */
    @Override
    public void reset() {}
}

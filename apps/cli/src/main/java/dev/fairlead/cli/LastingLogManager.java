package dev.fairlead.cli;

import java.util.logging.LogManager;

/**
 * Keeps its handlers while the JVM shuts down, so that a gateway that a signal ends logs its end.
 * Found by its name, see {@link LogHandler}.
 */
public final class LastingLogManager extends LogManager {
    /** {@inheritDoc} Does nothing: the shutdown of the JVM calls it, beside other hooks. */
    @Override
    public void reset() {}
}

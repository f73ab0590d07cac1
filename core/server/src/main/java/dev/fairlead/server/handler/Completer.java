package dev.fairlead.server.handler;

import java.util.List;

/** Proposes values for an argument. */
@FunctionalInterface
public interface Completer {
    /**
     * Returns the values that fit the typed text, best first. More than 100 may be given: the
     * client gets the first 100 and their total number.
     *
     * @throws Exception as {@link Handler#handle}
     */
    List<String> complete(Completion typed, Call call) throws Exception;
}

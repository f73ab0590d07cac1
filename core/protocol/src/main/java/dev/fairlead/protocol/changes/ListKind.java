package dev.fairlead.protocol.changes;

/** The lists whose changes clients are notified of. */
public enum ListKind {
    /** {@code tools/list}. */
    TOOLS,
    /** {@code resources/list} and {@code resources/templates/list}. */
    RESOURCES,
    /** {@code prompts/list}. */
    PROMPTS
}

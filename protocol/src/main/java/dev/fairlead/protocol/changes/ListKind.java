package dev.fairlead.protocol.changes;

/** The lists whose changes clients are notified of. */
public enum ListKind {
    TOOLS,
    RESOURCES,
    PROMPTS
}

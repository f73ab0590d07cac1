package dev.fairlead.server.notifications;

/** The lists whose changes clients are notified of. */
public enum ListKind {
    TOOLS,
    RESOURCES,
    PROMPTS
}

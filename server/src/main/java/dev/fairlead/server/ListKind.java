package dev.fairlead.server;

/** The lists whose changes clients are notified of. */
enum ListKind {
    TOOLS,
    RESOURCES,
    PROMPTS
}

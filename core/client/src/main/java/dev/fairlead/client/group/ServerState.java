package dev.fairlead.client.group;

/** Whether a server of a group can be used. */
public enum ServerState {
    /** The group connects to it, for the first time or again. */
    CONNECTING,
    /** It can be used. */
    CONNECTED,
    /** It could not be reached or was lost; the group tries again after a while. */
    FAILED
}

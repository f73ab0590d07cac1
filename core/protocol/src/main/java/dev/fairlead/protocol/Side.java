package dev.fairlead.protocol;

/** An end of a connection. */
public enum Side {
    /** The client. */
    CLIENT,
    /** The server. */
    SERVER,
    /** Either of them. */
    BOTH;

    /** Returns whether this is a side or both. */
    public boolean includes(Side side) {
        return this == side || this == BOTH;
    }
}

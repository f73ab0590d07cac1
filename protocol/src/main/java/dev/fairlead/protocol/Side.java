package dev.fairlead.protocol;

/** Which end of a connection. */
public enum Side {
    CLIENT,
    SERVER,
    /** Either of them. */
    BOTH;

    /** Whether this is that side or both. */
    public boolean includes(Side side) {
        return this == side || this == BOTH;
    }
}

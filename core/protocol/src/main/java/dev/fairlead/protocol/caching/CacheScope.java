package dev.fairlead.protocol.caching;

/** The users for whom a result may be cached. It is no access control. */
public enum CacheScope {
    /** The result is the same for all callers, and a cache between them may answer any of them. */
    PUBLIC("public"),
    /** The result may be given only to the caller that it was made for. */
    PRIVATE("private");

    private final String wireName;

    CacheScope(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the name on the wire. */
    public String wireName() {
        return wireName;
    }
}

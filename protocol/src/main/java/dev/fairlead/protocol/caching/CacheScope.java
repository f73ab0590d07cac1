package dev.fairlead.protocol.caching;

import dev.fairlead.json.JsonName;

/** For whom a result may be kept. It is no access control. */
public enum CacheScope {
    /** The result is the same for all callers, and a cache between them may answer any of them. */
    @JsonName("public")
    PUBLIC,
    /** The result may be given only to the caller that it was made for. */
    @JsonName("private")
    PRIVATE;

    /** Returns the name on the wire. */
    public String wireName() {
        return this == PUBLIC ? "public" : "private";
    }
}

package dev.fairlead.protocol.sampling;

import dev.fairlead.json.JsonName;

/** The context of MCP servers that a client is to give to the model. */
public enum IncludeContext {
    /** No context; the default. */
    @JsonName("none")
    NONE,
    /** The context of the server that asks. */
    @JsonName("thisServer")
    THIS_SERVER,
    /** The context of all servers. */
    @JsonName("allServers")
    ALL_SERVERS
}

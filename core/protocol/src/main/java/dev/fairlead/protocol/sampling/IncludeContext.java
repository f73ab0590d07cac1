package dev.fairlead.protocol.sampling;

import dev.fairlead.json.JsonName;

/** Which context of MCP servers a client is to give to the model. */
public enum IncludeContext {
    /** None; so it is where nothing is said. */
    @JsonName("none")
    NONE,
    /** The context of the server that asks. */
    @JsonName("thisServer")
    THIS_SERVER,
    /** The context of all servers. */
    @JsonName("allServers")
    ALL_SERVERS
}

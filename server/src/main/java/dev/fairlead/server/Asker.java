package dev.fairlead.server;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.ClientCapabilities;
import dev.fairlead.protocol.face.WireFace;

/** On whose behalf a client is asked: a call, a task, or the session itself. */
interface Asker {
    ServerSettings settings();

    WireFace face();

    /** What the client declared. */
    ClientCapabilities capabilities();

    /** Asks the client and waits for its result. */
    RawJson ask(Question<?> question) throws InterruptedException;

    /** The id of a page that a person is led to, unique in this server. */
    String newElicitationId();

    /** Tells something that belongs to the question. */
    void tell(JsonRpcNotification notification);
}

package dev.fairlead.server;

import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.face.WireFace;

import org.jspecify.annotations.Nullable;

/** On whose behalf a client is asked: a call, or the session itself. */
interface Asker {
    ServerSession session();

    WireFace face();

    /** Where the question goes out; null for beside the calls. */
    @Nullable Exchange exchange();

    /** Tells something that belongs to the question. */
    void tell(JsonRpcNotification notification);
}

package dev.fairlead.client;

import dev.fairlead.protocol.ElicitAction;

/** Asks the person to visit a page, on behalf of the server. */
@FunctionalInterface
public interface ElicitUrlHandler {
    /**
     * Shows the whole URL and who asks, and opens it only if the person consents, in a browser that
     * neither this program nor a model can look into; never loads it otherwise. Runs on a virtual
     * thread of its own that is interrupted when the server no longer wants the answer.
     *
     * @return {@link ElicitAction#ACCEPT} for consent, which does not mean that the visit is over
     * @throws Exception {@link dev.fairlead.jsonrpc.JsonRpcException} becomes that error; anything
     *     else is logged and becomes {@code -32603}
     */
    ElicitAction answer(ElicitUrl link) throws Exception;
}

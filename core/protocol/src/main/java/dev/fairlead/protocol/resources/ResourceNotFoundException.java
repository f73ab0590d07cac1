package dev.fairlead.protocol.resources;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.McpErrorCode;

/**
 * Reports that a resource does not exist: the error {@code -32002} with the URI as {@code
 * data.uri}. For the handlers of templates and sources, whose URIs do not all have a resource.
 */
public final class ResourceNotFoundException extends JsonRpcException {
    private static final long serialVersionUID = 1;

    /**
     * @param uri the URI in the request of the client
     */
    public ResourceNotFoundException(String uri) {
        super(McpErrorCode.RESOURCE_NOT_FOUND, "Resource not found", JsonObject.of("uri", uri));
    }
}

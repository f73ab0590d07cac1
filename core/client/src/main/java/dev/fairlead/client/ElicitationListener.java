package dev.fairlead.client;

/**
 * Called when the purpose of a page is done, see {@link McpClient.Builder#onElicitationComplete}.
 */
@FunctionalInterface
public interface ElicitationListener {
    /**
     * Called on a thread of the client's, once for each page that the person consented to.
     *
     * @param elicitationId the name that the server gave to the question
     * @throws Exception is logged
     */
    void completed(String elicitationId) throws Exception;
}

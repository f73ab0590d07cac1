package dev.fairlead.client;

/**
 * Called when a list of the server changed.
 *
 * @param <R> the list, all pages in one
 */
@FunctionalInterface
public interface ListListener<R> {
    /**
     * Called with the list as it is now, on a thread of the client's. Changes that come while the
     * list is read, or while this call runs, cause one more call together. May send requests.
     *
     * @throws Exception is logged
     */
    void changed(R list) throws Exception;
}

package dev.fairlead.client;

/**
 * Hears that a list of the server changed.
 *
 * @param <R> the list, all pages in one
 */
@FunctionalInterface
public interface ListListener<R> {
    /**
     * Called with the list as it is now, on a thread of the client's. Changes that come while the
     * list is read or heard are told together by one more call. May send requests.
     *
     * @throws Exception is logged
     */
    void changed(R list) throws Exception;
}

package dev.fairlead.server.handler;

import org.jspecify.annotations.Nullable;

/**
 * A list that is too long to be held, or different for each caller, read page by page.
 *
 * @param <T> the definitions listed
 */
@FunctionalInterface
public interface PageSource<T> {
    /**
     * One page. Its length is the source's choice; it is a page of the client's list too.
     *
     * @param cursor where it begins, as given by the page before; null for the first page
     * @param call the caller, and the other data of the call
     * @throws Exception as {@link Handler#handle}; an invalid cursor is best refused with {@link
     *     dev.fairlead.jsonrpc.JsonRpcException#invalidParams}
     */
    SourcePage<T> page(@Nullable String cursor, Call call) throws Exception;
}

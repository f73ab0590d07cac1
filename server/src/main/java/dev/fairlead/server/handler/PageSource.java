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
     * @param cursor where it begins, as a page before told; null for the first page
     * @param call who asks, and what else is known
     * @throws Exception as {@link Handler#handle}; a cursor that is none is best refused with
     *     {@link dev.fairlead.jsonrpc.JsonRpcException#invalidParams}
     */
    SourcePage<T> page(@Nullable String cursor, Call call) throws Exception;
}
